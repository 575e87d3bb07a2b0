// SPDX-License-Identifier: GPL-2.0
/*
 * until.c - end a recording: parse --ring and --until, and wait for the last packets after the command
 * (--linger)
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "modes/until.h"
#include "text.h"

#define MAX_MSEC (INT_MAX * 1000UL)

static const struct unit sizes[] = { { "K", 1 }, { "M", 1UL << 10 }, { "G", 1UL << 20 }, {} };

bool limits_any(const struct limits *limits)
{
	return limits->count || limits->msec || limits->kb;
}

static int set_time(struct limits *limits, const char *value, struct err *err)
{
	unsigned long ns;

	if (!time_read(value, MAX_MSEC * 1000000, &ns) || ns < 1000000)
		return err_set(
			err,
			"'%s' is not a time for --until time: give one with ms or s, as in 10s",
			value);
	limits->msec = ns / 1000000;
	return 0;
}

int until_add(struct limits *limits, struct ring_options *ring, const char *value, struct err *err)
{
	const size_t n = strcspn(value, "=");
	const char *amount = value + n + !!value[n];

	if (!strncmp(value, "count=", n + 1)) {
		if (number_read(amount, INT_MAX, &limits->count) && limits->count)
			return 0;
		return err_set(err,
			       "'%s' is not a number of packets for --until count: give 1 or more",
			       amount);
	}
	if (!strncmp(value, "size=", n + 1)) {
		if (unit_read(amount, sizes, 1UL << 32, &limits->kb) && limits->kb)
			return 0;
		return err_set(
			err,
			"'%s' is not a size for --until size: give one with K, M or G, as in 100M",
			amount);
	}
	if (!strncmp(value, "time=", n + 1))
		return set_time(limits, amount, err);
	return ring_add_until(ring, value, err);
}

#define MAX_KB (1UL << 32)

static bool read_time(const char *text, unsigned long max_ns, __u64 *ns)
{
	unsigned long value;

	if (!time_read(text, max_ns, &value))
		return false;
	*ns = value;
	return true;
}

int ring_set_size(struct ring_options *ring, const char *value, struct err *err)
{
	if (unit_read(value, sizes, MAX_KB, &ring->kb) && ring->kb)
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
		return err_set(err,
			       "'%.*s' is not a drop reason; the reasons are in "
			       "/sys/kernel/tracing/events/skb/kfree_skb/format",
			       (int)n, name);
	if (until->nr_reasons == RECORD_SKB_MAX_REASONS)
		return err_set(err, "more than %d drop reasons: use --until drop for all reasons",
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
	/* "drop" without a reason means any reason, so the list of reasons is not needed any more. */
	if (ring->any_drop)
		until->nr_reasons = 0;
	return 0;
}

/* Parse the time of a trigger such as "slower=5ms". Returns 0 or -1. */
static int add_time(struct ring_options *ring, enum record_skb_by by, const char *value, __u64 *ns,
		    struct err *err)
{
	const size_t n = strcspn(value, "=");

	if (*ns)
		return err_set(err, "--until %.*s is given twice: give only the shorter time",
			       (int)n, value);
	ring->until.on |= 1U << by;
	if (value[n] && read_time(value + n + 1, RECORD_SKB_MAX_SLOWER_NS, ns) && *ns)
		return 0;
	return err_set(err, "'%s': give a time up to 600s with us, ms or s, as in %.*s=5ms", value,
		       (int)n, value);
}

static int set_match(struct ring_options *ring, const char *value, struct err *err)
{
	if (!value[strspn(value, " \t\n")])
		return err_set(err, "the expression of --until match is empty");
	if (ring->match)
		return err_set(err, "--until match is given twice: join the expressions with 'or'");
	ring->match = value;
	ring->until.on |= 1U << RECORD_SKB_BY_MATCH;
	return 0;
}

static int set_exit(struct ring_options *ring, const char *value, struct err *err)
{
	unsigned long status;

	ring->by_status = true;
	ring->status = ANY_FAILURE;
	if (!strcmp(value, "failed"))
		return 0;
	if (!number_read(value, 255, &status))
		return err_set(err,
			       "'%s' is not an exit status for --until exit: give a number up to "
			       "255, or 'failed' for any except 0",
			       value);
	ring->status = status;
	return 0;
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
	if (!strncmp(value, "match=", strlen("match=")))
		return set_match(ring, value + strlen("match="), err);
	if (!strncmp(value, "exit=", strlen("exit=")))
		return set_exit(ring, value + strlen("exit="), err);
	return err_set(err,
		       "'%s' is not an event for --until: give count=N, time=TIME, size=SIZE, "
		       "drop, drop=REASON, slower=TIME, unanswered=TIME, match=EXPRESSION or "
		       "exit=STATUS",
		       value);
}

int ring_set_keep(struct ring_options *ring, const char *value, struct err *err)
{
	if (number_read(value, INT_MAX, &ring->keep) && ring->keep)
		return 0;
	return err_set(err, "'%s' is not a number of files for --keep: give 1 or more", value);
}

bool ring_has_trigger(const struct ring_options *ring)
{
	return ring->until.on;
}

int ring_options_check(const struct ring_options *ring, struct err *err)
{
	if (!ring->kb && (ring->until.on || ring->by_status || ring->keep))
		return err_set(err, "--keep, and --until with a packet or an exit status, need a "
				    "ring: add --ring SIZE");
	if (!ring->until.on && ring->keep)
		return err_set(err, "--keep needs a packet that stops the ring, as with --until "
				    "drop");
	return 0;
}

/*
 * How long the traffic must have been quiet to count as stopped: no packet has matched, no tracked packet is
 * left, and no connection is half closed.
 */
#define QUIET_MSEC 50

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool linger_begin(struct linger_state *linger, unsigned long msec,
		  const struct record_skb_stats *stats)
{
	const long long now = now_msec();

	if (!msec || stats->stopped || (!stats->hits && !stats->tracked))
		return false;
	*linger = (struct linger_state){
		.on = true,
		.deadline = now + msec,
		.last = now,
		.hits = stats->hits,
	};
	return true;
}

bool linger_is_over(struct linger_state *linger, const struct record_skb_stats *stats,
		    bool *cut_off)
{
	const long long now = now_msec();
	bool quiet;

	*cut_off = false;
	if (stats->hits != linger->hits) {
		linger->hits = stats->hits;
		linger->last = now;
	}
	quiet = !stats->tracked && !stats->closing && now - linger->last >= QUIET_MSEC;
	if (quiet || stats->stopped)
		return true;
	*cut_off = now >= linger->deadline;
	return *cut_off;
}
