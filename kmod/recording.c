// SPDX-License-Identifier: GPL-2.0
/* recording.c - what is remembered of a recording, and of each of several */
#include <linux/errno.h>

#include "flow.h"
#include "follow.h"
#include "recording.h"
#include "track.h"

struct recording record_skb_recordings[1 + RECORD_SKB_MAX_SHARED] = {
	{ .number = 0 }, { .number = 1 }, { .number = 2 }, { .number = 3 }, { .number = 4 },
};
bool record_skb_shared __read_mostly;

/**
 * recording_begin() - make room for what is to be remembered
 * @r: not begun
 *
 * Return: 0 or -ENOMEM.
 */
int recording_begin(struct recording *r)
{
	r->track = track_new_table(&r->stats);
	r->flows = flows_new(&r->stats);
	r->follow = follow_new(&r->stats);
	if (r->track && r->flows && r->follow)
		return 0;
	recording_end(r);
	return -ENOMEM;
}

/* Forget all but the counts. Nothing of it is armed, and no callback has seen it since. */
void recording_end(struct recording *r)
{
	if (r->follow)
		follow_stop(r->follow);
	follow_free(r->follow);
	flows_free(r->flows);
	track_free_table(r->track);
	r->follow = NULL;
	r->flows = NULL;
	r->track = NULL;
}
