// SPDX-License-Identifier: GPL-2.0
/*
 * assertion.c - parse an assertion about a recording; the man page of trace-cmd report-skb has the grammar
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assertion.h"
#include "model/packet_text.h"

/*
 * State of the parser. @at is the text that was not parsed yet. @wrong is the message about the first error;
 * it is empty without an error.
 */
struct parser {
	struct assertion *assertion;
	const char *at;
	char wrong[512];
};

static int is_wrong(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int is_wrong(struct parser *parser, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->wrong, sizeof(parser->wrong), format, args);
	va_end(args);
	return -1;
}

static void skip_spaces(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t");
}

/*
 * If the text continues with @token, skip @token and the spaces after it. Return: true if @token was
 * skipped.
 */
static bool accept_token(struct parser *parser, const char *token)
{
	const size_t len = strlen(token);

	if (strncmp(parser->at, token, len))
		return false;
	/* Do not accept @token if it is only the beginning of a longer word in the text. */
	if (isalnum((unsigned char)token[len - 1]) &&
	    (isalnum((unsigned char)parser->at[len]) || parser->at[len] == '_'))
		return false;
	parser->at += len;
	skip_spaces(parser);
	return true;
}

/* Return: the number of bytes before the first character @end that is outside of all parentheses. */
static size_t length_until(const char *text, char end)
{
	unsigned int open = 0;
	size_t len;

	for (len = 0; text[len]; len++) {
		if (text[len] == end && !open)
			break;
		open += text[len] == '(';
		open -= open && text[len] == ')';
	}
	return len;
}

/*
 * Copy the text up to the character @end, and skip @end. Leading and trailing spaces are removed, and
 * several spaces in a row become one.
 */
static int take_until(struct parser *parser, char end, char *buf, size_t size)
{
	const size_t len = length_until(parser->at, end);
	size_t n = 0;

	if (!parser->at[len])
		return is_wrong(parser, "'%c' is missing after '%.60s'", end, parser->at);
	for (size_t i = 0; i < len; i++) {
		const char c = parser->at[i];
		const bool space = c == ' ' || c == '\t';

		if (space && (!n || buf[n - 1] == ' '))
			continue;
		if (n == size - 1)
			return is_wrong(parser, "'%.*s' is too long", (int)(len < 60 ? len : 60),
					parser->at);
		buf[n++] = space ? ' ' : c;
	}
	if (n && buf[n - 1] == ' ')
		n--;
	buf[n] = '\0';
	parser->at += len + 1;
	skip_spaces(parser);
	return 0;
}

/* Parsing the left side of an assertion */

static int parse_verdict(struct parser *parser)
{
	char name[64], known[256] = "";

	parser->assertion->subject = SUBJECT_VERDICT;
	if (take_until(parser, ']', name, sizeof(name)))
		return -1;
	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		parser->assertion->verdict = verdict;
		if (!strcmp(name, words_verdict_name(verdict)))
			return 0;
		strcat(strcat(known, " "), words_verdict_name(verdict));
	}
	return is_wrong(parser, "'%s' is not a verdict; there are%s", name, known);
}

static int parse_reason(struct parser *parser)
{
	struct assertion *assertion = parser->assertion;

	assertion->subject = SUBJECT_REASON;
	if (take_until(parser, ']', assertion->reason, sizeof(assertion->reason)))
		return -1;
	return assertion->reason[0] ? 0 :
				      is_wrong(parser, "reason[] needs the name of a drop reason");
}

static bool is_delay(struct assertion *assertion, const char *name)
{
	/*
	 * In an assertion, "unread" means the whole time in a socket's queue. The kind of delay with the same
	 * name is only one part of this time.
	 */
	if (!strcmp(name, delay_name(DELAY_UNREAD))) {
		assertion->times = TIMES_STEP;
		assertion->from = STAGE_SOCKET;
		assertion->to = STAGE_READER;
		return true;
	}
	for (enum delay_kind kind = 0; kind < DELAYS; kind++) {
		if (!delay_name(kind) || strcmp(delay_name(kind), name))
			continue;
		assertion->times = TIMES_DELAY;
		assertion->delay = kind;
		return true;
	}
	return false;
}

static bool is_step(struct assertion *assertion, const char *name)
{
	char step[64];

	assertion->times = TIMES_STEP;
	for (assertion->from = STAGE_CALL; assertion->from < STAGES; assertion->from++) {
		for (assertion->to = STAGE_CALL; assertion->to < STAGES; assertion->to++) {
			snprintf(step, sizeof(step), "%s -> %s", stage_name(assertion->from),
				 stage_name(assertion->to));
			if (!strcmp(step, name))
				return true;
		}
	}
	return false;
}

/* Parse the argument in the parentheses of a statistic. */
static int parse_times(struct parser *parser)
{
	static const char *const simple[] = {
		[TIMES_REQUESTS] = "requests",
		[TIMES_PACKETS] = "packets",
		[TIMES_STACK] = "stack",
		[TIMES_WAITING] = "waiting",
	};
	struct assertion *assertion = parser->assertion;
	char name[FUNCTION_NAME_LEN + 16];

	assertion->subject = SUBJECT_TIMES;
	if (take_until(parser, ')', name, sizeof(name)))
		return -1;
	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (!strcmp(name, simple[i])) {
			assertion->times = i;
			return 0;
		}
	}
	if (!strncmp(name, "function ", strlen("function "))) {
		assertion->times = TIMES_FUNCTION;
		snprintf(assertion->function, sizeof(assertion->function), "%.*s",
			 FUNCTION_NAME_LEN - 1, name + strlen("function "));
		return 0;
	}
	if (is_delay(assertion, name) || is_step(assertion, name))
		return 0;
	return is_wrong(parser,
			"'%s' is not a time; there are requests, packets, stack, waiting, "
			"'function NAME' and the names in the table of --latency",
			name);
}

/* Parse a percentile such as p99 or p99.9. Return: false if the text is not a percentile. */
static bool parse_percentile(struct parser *parser)
{
	unsigned int percent, part = 0;
	int len = 0, end = 0;

	if (sscanf(parser->at, "p%2u%n", &percent, &len) != 1 ||
	    !isdigit((unsigned char)parser->at[1]))
		return false;
	if (sscanf(parser->at + len, ".%2u%n", &part, &end) == 1) {
		if (!isdigit((unsigned char)parser->at[len + 1]))
			return false;
		if (end == 2)
			part *= 10;
		len += end;
	}
	len += strspn(parser->at + len, " ");
	if (parser->at[len] != '(' || !(percent * 100 + part))
		return false;
	parser->assertion->rank = percent * 100 + part;
	parser->at += len + 1;
	skip_spaces(parser);
	return true;
}

/* Parse a statistic up to its opening parenthesis. Return: false if the text is not a statistic. */
static bool parse_statistic(struct parser *parser)
{
	static const struct {
		const char *name;
		unsigned int rank;
	} statistics[] = {
		{ "min", 0 }, { "median", RANK_MAX / 2 }, { "max", RANK_MAX }, { "mean", 0 }
	};
	const char *begin = parser->at;

	if (parse_percentile(parser))
		return true;
	for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++) {
		parser->at = begin;
		if (!accept_token(parser, statistics[i].name) || !accept_token(parser, "("))
			continue;
		parser->assertion->rank = statistics[i].rank;
		parser->assertion->mean = !strcmp(statistics[i].name, "mean");
		return true;
	}
	parser->at = begin;
	return false;
}

static int parse_subject(struct parser *parser)
{
	struct assertion *assertion = parser->assertion;

	if (parse_statistic(parser))
		return parse_times(parser);
	if (accept_token(parser, "verdict["))
		return parse_verdict(parser);
	if (accept_token(parser, "reason["))
		return parse_reason(parser);
	if (accept_token(parser, "dropped")) {
		assertion->subject = SUBJECT_VERDICT;
		assertion->verdict = VERDICT_DROPPED;
	} else if (accept_token(parser, "packets")) {
		assertion->subject = SUBJECT_PACKETS;
	} else if (accept_token(parser, "flows")) {
		assertion->subject = SUBJECT_FLOWS;
	} else if (accept_token(parser, "unanswered")) {
		assertion->subject = SUBJECT_UNANSWERED;
	} else if (accept_token(parser, "path")) {
		assertion->subject = SUBJECT_PATH;
	} else {
		return is_wrong(
			parser,
			"it begins with none of packets, dropped, flows, unanswered, verdict[…], "
			"reason[…], path, min(…), median(…), mean(…), max(…) and p99(…)");
	}
	return 0;
}

/* Parsing the operator and the right side of an assertion */

static int parse_comparison(struct parser *parser)
{
	static const struct {
		const char *text;
		enum comparison comparison;
	} operators[] = {
		{ "==", COMPARE_EQUAL },       { "!=", COMPARE_NOT_EQUAL },
		{ "<=", COMPARE_AT_MOST },     { ">=", COMPARE_AT_LEAST },
		{ "<", COMPARE_LESS },	       { ">", COMPARE_MORE },
		{ "!~", COMPARE_MATCHES_NOT }, { "~", COMPARE_MATCHES },
	};
	const bool is_path = parser->assertion->subject == SUBJECT_PATH;

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		const enum comparison comparison = operators[i].comparison;

		if (!accept_token(parser, operators[i].text))
			continue;
		if (is_path != (comparison >= COMPARE_MATCHES))
			return is_wrong(parser, is_path ? "a path is compared with ~ or !~" :
							  "~ and !~ are for paths");
		parser->assertion->comparison = comparison;
		return 0;
	}
	return is_wrong(parser,
			"'%.60s' is not a comparison: use ==, !=, <, <=, > or >=, and ~ or !~ "
			"for a path",
			parser->at);
}

static int parse_number(struct parser *parser)
{
	const size_t digits = strspn(parser->at, "0123456789");

	if (!digits || digits > 15 || parser->at[digits + strspn(parser->at + digits, " ")])
		return is_wrong(parser, "'%.60s' is not a number", parser->at);
	parser->assertion->value = strtoull(parser->at, NULL, 10);
	return 0;
}

static int parse_time(struct parser *parser)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	const char *unit = parser->at + strspn(parser->at, "0123456789.");
	char *end;
	double value;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const size_t len = strlen(units[i].name);

		if (strncmp(unit, units[i].name, len) || unit[len + strspn(unit + len, " ")])
			continue;
		value = strtod(parser->at, &end);
		if (end != unit || unit == parser->at || value * units[i].ns > 1e18)
			break;
		parser->assertion->value = value * units[i].ns + 0.5;
		return 0;
	}
	return is_wrong(
		parser,
		"'%.60s' is not a time with its unit, such as 5ms; units are ns, us, ms and s",
		parser->at);
}

static int add_hop(struct parser *parser, const char *name, size_t len)
{
	struct assertion *assertion = parser->assertion;

	while (len && *name == ' ') {
		name++;
		len--;
	}
	while (len && name[len - 1] == ' ')
		len--;
	if (!len || len > DEVICE_NAME_LEN)
		return is_wrong(parser, "'%.*s' is not the name of a device",
				(int)(len < 60 ? len : 60), name);
	if (assertion->nr_hops == MAX_HOPS)
		return is_wrong(parser, "a path has at most %d devices", MAX_HOPS);
	memcpy(assertion->hops[assertion->nr_hops], name, len);
	assertion->hops[assertion->nr_hops++][len] = '\0';
	return 0;
}

/* Parse a path in quotes, such as "eth0 > br0". */
static int parse_path(struct parser *parser)
{
	char path[512], *name = path;
	size_t len;

	if (!accept_token(parser, "\""))
		return is_wrong(parser, "a path is in double quotes: \"eth0 > br0\"");
	if (take_until(parser, '"', path, sizeof(path)))
		return -1;
	if (*parser->at)
		return is_wrong(parser, "'%.60s' follows the path", parser->at);
	for (;; name += len + 1) {
		len = strcspn(name, ">");
		if (add_hop(parser, name, len))
			return -1;
		if (!name[len])
			return 0;
	}
}

static int parse_assertion(struct parser *parser)
{
	skip_spaces(parser);
	if (parse_subject(parser))
		return -1;
	skip_spaces(parser);
	if (parse_comparison(parser))
		return -1;
	switch (parser->assertion->subject) {
	case SUBJECT_PATH:
		return parse_path(parser);
	case SUBJECT_TIMES:
		return parse_time(parser);
	default:
		return parse_number(parser);
	}
}

int assertion_parse(struct assertion *assertion, const char *text, struct err *err)
{
	struct parser parser = { .assertion = assertion, .at = text };

	*assertion = (struct assertion){ .text = text };
	if (parse_assertion(&parser))
		return err_set(err, "bad assertion '%.200s': %s", text, parser.wrong);
	return 0;
}
