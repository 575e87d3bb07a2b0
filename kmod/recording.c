// SPDX-License-Identifier: GPL-2.0
/* recording.c - the recordings of the module, and the allocation of their tables */
#include <linux/errno.h>
#include <linux/percpu.h>

#include "flow_table.h"
#include "task_table.h"
#include "netns_table.h"
#include "recording.h"
#include "skb_table.h"

static DEFINE_PER_CPU(struct stats_count, count_0);
static DEFINE_PER_CPU(struct stats_count, count_1);
static DEFINE_PER_CPU(struct stats_count, count_2);
static DEFINE_PER_CPU(struct stats_count, count_3);
static DEFINE_PER_CPU(struct stats_count, count_4);

#define RECORDING(n)                                     \
	{                                                \
		.number = (n), .stats.count = &count_##n \
	}

struct recording record_skb_recordings[1 + RECORD_SKB_MAX_SHARED] = {
	RECORDING(0), RECORDING(1), RECORDING(2), RECORDING(3), RECORDING(4),
};
bool record_skb_shared __read_mostly;

/**
 * recording_begin() - allocate the tables of a recording
 * @r: a recording without tables
 *
 * The caller holds session_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int recording_begin(struct recording *r)
{
	r->track = skb_table_new_table(&r->stats);
	r->flows = flow_table_new(&r->stats);
	r->follow = task_table_new(&r->stats);
	r->netns = netns_table_new();
	if (r->track && r->flows && r->follow && r->netns)
		return 0;
	recording_end(r);
	return -ENOMEM;
}

/*
 * Free the tables of a recording and keep its statistics. The recording must not be armed, and no callback
 * may use it any more.
 */
void recording_end(struct recording *r)
{
	if (r->follow)
		task_table_stop(r->follow);
	task_table_free(r->follow);
	flow_table_free(r->flows);
	skb_table_free_table(r->track);
	netns_table_free(r->netns);
	r->netns = NULL;
	r->follow = NULL;
	r->flows = NULL;
	r->track = NULL;
}
