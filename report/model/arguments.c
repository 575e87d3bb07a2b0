// SPDX-License-Identifier: GPL-2.0
/* arguments.c - find out from the arguments of record-skb which packets a recording has */
#include <stddef.h>
#include <string.h>

#include "model/arguments.h"

/* These options do not change which packets match, or they match both directions of a flow. */
static const char *const both_ways[] = {
	"-p",	    "--port",	 "--host",   "--proto", "--sample", "--no-icmp-errors",
	"-P",	    "--pid",	 "--user",   "--cpu",	"-o",	    "--detail",
	"--module", "--why",	 "--sched",  "--args",	"--retval", "--until",
	"--linger", "--live",	 "--shared", "--force", "--no-bpf", "-q",
	"--quiet",  "--verbose", "-v",	     "-b",	"-a",	    "--no-children",
};

/* With these words, or with an operator, an expression may match one direction only. */
static const char *const one_way[] = {
	"src", "dst",	    "inbound",	 "outbound", "less",  "greater",
	"len", "broadcast", "multicast", "gateway",  "ether",
};

/*
 * The options that do not change which of the packets that reach the machine match. With --netns, a packet
 * reaches the machine where it reaches the namespace.
 */
static const struct {
	const char *name;
	bool has_value;
} other_options[] = {
	{ "-o", true },	       { "-C", true },	     { "-b", true },	     { "-O", true },
	{ "-q", false },       { "--quiet", false }, { "--verbose", false }, { "--detail", true },
	{ "--module", true },  { "--why", false },   { "--sched", false },   { "--args", false },
	{ "--retval", false }, { "--until", true },  { "--linger", true },   { "--live", false },
	{ "--shared", false }, { "--force", false }, { "--no-bpf", false },  { "--netns", true },
};

/* The options with which either all packets of one direction of a flow match, or none. Most have a value. */
static const char *const flow_options[] = {
	"-p", "--port", "--sport", "--dport", "--host", "--src", "--dst", "--proto", "--sample",
};

/* With these words, or with an operator, an expression may match some packets of a direction only. */
static const char *const part_of_flow[] = {
	"inbound",   "outbound",  "less",    "greater", "len",
	"broadcast", "multicast", "gateway", "ether",	"vlan",
};

/* Characters that end a word. Quotes are among them, because an expression can be one quoted word. */
#define ENDS " '\"()"

static bool is_in(const char *const *words, size_t nr, const char *word, size_t len)
{
	for (size_t i = 0; i < nr; i++) {
		if (strlen(words[i]) == len && !strncmp(words[i], word, len))
			return true;
	}
	return false;
}

#define IS_IN(words, word, len) is_in(words, sizeof(words) / sizeof((words)[0]), word, len)

static bool has_operator(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("[]<>=&|!\\$", word[i]))
			return true;
	}
	return false;
}

/* Return: true if the word does not limit the recording to one direction. */
static bool matches_answers(const char *word, size_t len)
{
	if (*word == '-')
		return IS_IN(both_ways, word, strcspn(word, ENDS "="));
	return !has_operator(word, len) && !IS_IN(one_way, word, len);
}

bool arguments_match_answers(const char *arguments)
{
	size_t len;

	for (const char *word = arguments; word && *word; word += len + !!word[len]) {
		len = strcspn(word, ENDS);
		if (len == 2 && !strncmp(word, "--", 2))
			return true;
		if (len && !matches_answers(word, len))
			return false;
		/* The arguments were too long for the recording. */
		if (len >= 3 && !strncmp(word, "...", 3))
			return false;
	}
	return arguments;
}

/* Return: the length of the first word, which may have quotes. */
static size_t word_len(const char *words)
{
	bool is_quoted = false;
	size_t len = 0;

	for (; words[len] && (is_quoted || words[len] != ' '); len++) {
		if (words[len] == '\\' && !is_quoted && words[len + 1])
			len++;
		else if (words[len] == '\'')
			is_quoted = !is_quoted;
	}
	return len;
}

/*
 * Find an option that does not limit which packets match. Return: the number of words that it has; 0 if the
 * option is not one of them.
 */
static unsigned int words_of_other(const char *word, size_t len)
{
	const size_t name = strcspn(word, " =");

	for (size_t i = 0; i < sizeof(other_options) / sizeof(other_options[0]); i++) {
		if (strlen(other_options[i].name) == name &&
		    !strncmp(other_options[i].name, word, name))
			return 1 + (other_options[i].has_value && name == len);
	}
	return 0;
}

/*
 * Return: the beginning of the next word that limits which packets match; NULL without such a word. Set @len
 * to its length.
 */
static const char *next_limit(const char *words, size_t *len)
{
	unsigned int skipped;

	while (*(words += strspn(words, " "))) {
		*len = word_len(words);
		if (*len == 2 && !strncmp(words, "--", 2))
			return NULL;
		skipped = *words == '-' ? words_of_other(words, *len) : 0;
		if (!skipped)
			return words;
		while (skipped-- && *words) {
			words += strspn(words, " ");
			words += word_len(words);
		}
	}
	return NULL;
}

/* Return: true if a condition matches either all packets of one direction of a flow, or none. */
static bool is_about_flows(const char *condition, size_t len)
{
	size_t n;

	if (*condition == '-')
		return IS_IN(flow_options, condition, strcspn(condition, " ="));
	if (!strncmp(condition, "...", 3))
		return false;
	for (size_t i = 0; i < len; i += n + !n) {
		n = strcspn(condition + i, ENDS);
		if (n > len - i)
			n = len - i;
		if (n && (has_operator(condition + i, n) || IS_IN(part_of_flow, condition + i, n)))
			return false;
	}
	return true;
}

bool arguments_match_flows(const char *arguments)
{
	size_t len;

	for (const char *word = arguments; word && (word = next_limit(word, &len)); word += len) {
		if (!is_about_flows(word, len))
			return false;
	}
	return arguments;
}

bool arguments_match_same(const char *a, const char *b)
{
	size_t len_a = 0, len_b = 0;

	if (!a || !b)
		return false;
	while ((a = next_limit(a, &len_a)) && (b = next_limit(b, &len_b))) {
		if (len_a != len_b || strncmp(a, b, len_a))
			return false;
		a += len_a;
		b += len_b;
	}
	return !a && !next_limit(b, &len_b);
}
