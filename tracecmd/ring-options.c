// SPDX-License-Identifier: GPL-2.0
/* --ring and what ends it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "ring-options.h"
#include "strlist.h"

#define MAX_KB	(1UL << 32)
#define MAX_SEC 1000000

struct unit {
	const char *name;
	unsigned long factor;
};

static const struct unit sizes[] = { { "K", 1 }, { "M", 1UL << 10 }, { "G", 1UL << 20 }, {} };
static const struct unit times[] = {
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{},
};

/* A number with its unit, in the least of the units. */
static bool read_with_unit(const char *text, const struct unit *units, unsigned long max,
			   unsigned long *value)
{
	if (!number_read_at(&text, max, value))
		return false;
	for (; units->name; units++)
		if (!strcmp(text, units->name) && *value <= max / units->factor) {
			*value *= units->factor;
			return true;
		}
	return false;
}

static bool read_time(const char *text, unsigned long max_ns, __u64 *ns)
{
	unsigned long value;

	if (!read_with_unit(text, times, max_ns, &value))
		return false;
	*ns = value;
	return true;
}

int ring_set_size(struct ring_options *ring, const char *value, struct err *err)
{
	if (read_with_unit(value, sizes, MAX_KB, &ring->kb) && ring->kb)
		return 0;
	return err_set(err,
		       "'%s' is not a size for --ring: give a number with K, M or G, as in 64M",
		       value);
}

static int add_reason(struct record_skb_ring *until, const char *name, size_t n, struct err *err)
{
	static const char prefix[] = "SKB_DROP_REASON_";

	if (n > strlen(prefix) && !strncmp(name, prefix, strlen(prefix))) {
		name += strlen(prefix);
		n -= strlen(prefix);
	}
	if (!n || n >= RECORD_SKB_REASON_LEN)
		return err_set(err, "'%.*s' is not a drop reason", (int)n, name);
	if (until->nr_reasons == RECORD_SKB_MAX_REASONS)
		return err_set(err, "more than %d drop reasons: say --until drop for any",
			       RECORD_SKB_MAX_REASONS);
	memcpy(until->reasons[until->nr_reasons], name, n);
	until->reasons[until->nr_reasons++][n] = '\0';
	return 0;
}

static int add_drop(struct ring_options *ring, const char *reasons, struct err *err)
{
	struct record_skb_ring *until = &ring->until;

	ring->any_drop |= !*reasons;
	until->on |= 1U << RECORD_SKB_BY_DROP;
	while (*reasons) {
		const size_t n = strcspn(++reasons, ",");

		if (add_reason(until, reasons, n, err))
			return -1;
		reasons += n;
	}
	/* The first of them ends it. */
	if (ring->any_drop)
		until->nr_reasons = 0;
	return 0;
}

/* NAME=TIME */
static int add_time(struct ring_options *ring, enum record_skb_by by, const char *value, __u64 *ns,
		    struct err *err)
{
	const size_t n = strcspn(value, "=");

	if (*ns)
		return err_set(err, "--until %.*s is given twice: take the shorter one", (int)n,
			       value);
	ring->until.on |= 1U << by;
	if (value[n] && read_time(value + n + 1, RECORD_SKB_MAX_SLOWER_NS, ns) && *ns)
		return 0;
	return err_set(err, "'%s': give a time up to 600s with us, ms or s, as in %.*s=5ms", value,
		       (int)n, value);
}

int ring_add_until(struct ring_options *ring, const char *value, struct err *err)
{
	const size_t n = strcspn(value, "=");

	if (n == strlen("drop") && !strncmp(value, "drop", n))
		return add_drop(ring, value + n, err);
	if (n == strlen("slower") && !strncmp(value, "slower", n))
		return add_time(ring, RECORD_SKB_BY_SLOW, value, &ring->until.slower_ns, err);
	if (n == strlen("unanswered") && !strncmp(value, "unanswered", n))
		return add_time(ring, RECORD_SKB_BY_UNANSWERED, value, &ring->until.unanswered_ns,
				err);
	return err_set(err,
		       "'%s' is not an end for --until: take drop, drop=REASON, slower=TIME or "
		       "unanswered=TIME",
		       value);
}

int ring_set_match(struct ring_options *ring, const char *value, struct err *err)
{
	if (!value[strspn(value, " \t\n")])
		return err_set(err, "the expression of --until-match is empty");
	if (ring->match)
		return err_set(err, "--until-match is given twice: join the two by 'or'");
	ring->match = value;
	ring->until.on |= 1U << RECORD_SKB_BY_MATCH;
	return 0;
}

int ring_set_exit(struct ring_options *ring, const char *value, struct err *err)
{
	unsigned long status;

	ring->by_status = true;
	ring->status = ANY_FAILURE;
	if (!strcmp(value, "failed"))
		return 0;
	if (!number_read(value, 255, &status))
		return err_set(err,
			       "'%s' is not an exit status for --until-exit: give a number up to "
			       "255, or failed for any but 0",
			       value);
	ring->status = status;
	return 0;
}

int ring_set_after(struct ring_options *ring, const char *value, struct err *err)
{
	ring->has_after = true;
	if (read_time(value, RECORD_SKB_MAX_AFTER_NS, &ring->until.after_ns))
		return 0;
	return err_set(
		err, "'%s' is not a time for --after: give up to 60s with us, ms or s, as in 200ms",
		value);
}

int ring_set_keep(struct ring_options *ring, const char *value, struct err *err)
{
	if (number_read(value, INT_MAX, &ring->keep) && ring->keep)
		return 0;
	return err_set(err, "'%s' is not a number of files for --keep", value);
}

bool ring_has_trigger(const struct ring_options *ring)
{
	return ring->until.on;
}

int ring_options_check(const struct ring_options *ring, struct err *err)
{
	if (!ring->kb && (ring->until.on || ring->by_status || ring->has_after || ring->keep))
		return err_set(err, "--until, --until-match, --until-exit, --after and --keep are "
				    "about a ring: add --ring SIZE");
	if (!ring->until.on && ring->has_after)
		return err_set(err, "--after needs --until or --until-match: after what?");
	if (!ring->until.on && ring->keep)
		return err_set(err, "--keep needs --until or --until-match: what is to be kept?");
	return 0;
}
