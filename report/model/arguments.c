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

/* Return: true if the word does not limit the recording to one direction. */
static bool matches_answers(const char *word, size_t len)
{
	if (*word == '-')
		return is_in(both_ways, sizeof(both_ways) / sizeof(both_ways[0]), word,
			     strcspn(word, ENDS "="));
	for (size_t i = 0; i < len; i++) {
		if (strchr("[]<>=&|!\\$", word[i]))
			return false;
	}
	return !is_in(one_way, sizeof(one_way) / sizeof(one_way[0]), word, len);
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
