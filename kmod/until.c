// SPDX-License-Identifier: GPL-2.0
/* until.c - what ends a recording that is a ring, as user space says it */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "compat/dropreason.h"
#include "questions.h"
#include "until.h"

static const u32 known = 1 << RECORD_SKB_BY_DROP | 1 << RECORD_SKB_BY_SLOW |
			 1 << RECORD_SKB_BY_MATCH | 1 << RECORD_SKB_BY_UNANSWERED;

/* A time is there if it is for something. */
static bool is_time(const struct record_skb_ring *want, enum record_skb_by by, u64 ns)
{
	return !!(want->on & 1 << by) == !!ns && ns <= RECORD_SKB_MAX_SLOWER_NS;
}

static bool is_sound(const struct record_skb_ring *want)
{
	return !(want->on & ~known) && want->nr_reasons <= RECORD_SKB_MAX_REASONS &&
	       want->after_ns <= RECORD_SKB_MAX_AFTER_NS &&
	       is_time(want, RECORD_SKB_BY_SLOW, want->slower_ns) &&
	       is_time(want, RECORD_SKB_BY_UNANSWERED, want->unanswered_ns);
}

static int copy_reasons(struct until *u, const struct record_skb_ring *want)
{
	u32 i;

	for (i = 0; i < want->nr_reasons; i++) {
		if (strnlen(want->reasons[i], RECORD_SKB_REASON_LEN) == RECORD_SKB_REASON_LEN)
			return -EINVAL;
		strscpy(u->reasons[i], want->reasons[i], RECORD_SKB_REASON_LEN);
		if (!compat_is_drop_reason(u->reasons[i]))
			return -ENOENT;
	}
	u->nr_reasons = want->nr_reasons;
	return 0;
}

/**
 * until_create() - take over what user space says
 * @u: set to it; for until_destroy() if that is how it ends
 * @want: from user space
 *
 * Return: 0, or as the documentation of struct record_skb_ring says; then @u is empty.
 */
int until_create(struct until *u, const struct record_skb_ring *want)
{
	int err;

	*u = (struct until){};
	if (!is_sound(want))
		return -EINVAL;
	u->ring = true;
	u->on = want->on;
	u->slower_us = div_u64(want->slower_ns + NSEC_PER_USEC - 1, NSEC_PER_USEC);
	u->unanswered_ns = want->unanswered_ns;
	u->after_ns = want->after_ns;
	err = copy_reasons(u, want) ?: filter_create(&u->match, &want->match);
	if (!err && u->unanswered_ns) {
		u->questions = questions_new();
		err = u->questions ? 0 : -ENOMEM;
	}
	if (err)
		until_destroy(u);
	return err;
}

/* Nobody looks at it any more. */
void until_destroy(struct until *u)
{
	questions_free(u->questions);
	filter_destroy(&u->match);
	*u = (struct until){};
}

/* Whether a packet thrown away for this reason ends it. */
bool until_has_reason(const struct until *u, const char *name)
{
	u32 i;

	for (i = 0; i < u->nr_reasons; i++)
		if (!strcmp(u->reasons[i], name))
			return true;
	return !u->nr_reasons;
}
