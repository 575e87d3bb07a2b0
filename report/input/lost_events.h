/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_LOST_EVENTS_H
#define _RECORD_SKB_LOST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct loss - rows that were overwritten in the buffer of a CPU, or consumed by another reader
 * @cpu: the CPU; -1 if another reader consumed the rows, because they may be from any CPU
 * @from: time of the last row before the lost rows, 0 without such a row
 * @to: time of the first row after the lost rows
 * @count: number of lost rows, 0 if not known
 */
struct loss {
	int cpu;
	uint64_t from, to;
	uint64_t count;
};

/**
 * struct missing - calls of a task that have no rows, because function_graph's return stack was full
 * @cpu: CPU of the task
 * @from: time of the last row of the task before these calls
 * @to: time of the first row of the task after these calls
 * @calls: number of missing calls
 * @pkt: the packet that the task was processing, 0 for none
 */
struct missing {
	int cpu;
	uint64_t from, to;
	uint64_t calls;
	uint32_t pkt;
};

/**
 * struct module_losses - what the module did not record, as far as no row shows the time
 * @flows: number of flows that it forgot, because its table was full. It gives such a flow another number,
 *	and does not record the flow any more if it belongs to the command
 * @tasks: number of children of the command that it did not follow
 * @probes: number of calls of probe points that it did not examine
 * @packets: number of packets that it forgot before they were freed
 * @frames: number of matches without a graph or a return event
 * @graphs: number of graphs that may lack functions
 * @others: number of losses that this version does not know
 */
struct module_losses {
	uint64_t flows, tasks, probes, packets, frames, graphs, others;
};

/* Return: true if the module lost packets or their events. */
static inline bool module_losses_entries(const struct module_losses *module)
{
	return module->flows || module->tasks || module->probes || module->packets ||
	       module->frames || module->others;
}

/* Return: true if the module lost anything. */
static inline bool module_losses_any(const struct module_losses *module)
{
	return module_losses_entries(module) || module->graphs;
}

struct lost_events {
	struct loss *v;
	size_t n;
	struct missing *missing;
	size_t nr_missing;
	uint64_t calls;		     /* total number of missing calls */
	uint64_t longest_missing;    /* length of the longest period in @missing */
	uint64_t total;		     /* number of lost rows in all losses that have a count */
	int uncounted;		     /* number of losses without a count */
	uint64_t longest;	     /* length of the longest period in @v */
	struct module_losses module; /* set at the end of the recording */
};

int lost_events_add(struct lost_events *losses, const struct loss *loss);
int lost_events_add_missing(struct lost_events *losses, const struct missing *missing);
/* Return: true if calls are missing between two times, in any task. */
bool lost_events_lack_calls(const struct lost_events *losses, uint64_t from, uint64_t to);
void lost_events_free(struct lost_events *losses);
/*
 * Remove losses and missing calls that ended before this time, so that a long recording does not fill the
 * memory.
 */
void lost_events_forget(struct lost_events *losses, uint64_t before);

/**
 * lost_events_touch - check if rows were lost on any CPU in a period, or directly before or after the period
 * @losses: losses so far, sorted by @to
 * @from: start of the period
 * @to: end of the period
 *
 * Return: 1 if rows were lost, otherwise 0.
 */
int lost_events_touch(const struct lost_events *losses, uint64_t from, uint64_t to);

#endif
