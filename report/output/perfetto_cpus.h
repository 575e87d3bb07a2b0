/* SPDX-License-Identifier: GPL-2.0 */
/* perfetto_cpus.h - write the tracks of the CPUs in the timeline: the tasks that ran there, and losses */
#ifndef _RECORD_SKB_PERFETTO_CPUS_H
#define _RECORD_SKB_PERFETTO_CPUS_H

#include "input/reader.h"
#include "output/trace_event.h"

/*
 * Numbers of the first tracks for idle tasks and for CPUs. They are larger than any PID, because the track of
 * any other task has its PID as the number.
 */
#define FIRST_IDLE 1000000000ull
#define FIRST_CPU  2000000000ull

/* Number of groups of tracks that each host of joined recordings has: one for tasks and one for CPUs. */
#define GROUPS_OF_HOST 2

struct cpu_tracks;

/*
 * Prepare the tracks of the CPUs. @group is the number of the group of CPUs on the first host. Each further
 * host adds GROUPS_OF_HOST to this number. Return: the tracks; NULL if there is not enough memory.
 */
struct cpu_tracks *cpu_tracks_new(struct trace_events *events, unsigned int group);
void cpu_tracks_free(struct cpu_tracks *tracks);

/* Note that a task was processing this packet. @task is the number of the task's track. */
void cpu_tracks_note(struct cpu_tracks *tracks, const struct moment *at, uint64_t task,
		     uint32_t pkt);
/* Write that the task on this CPU has finished its work for packets. */
void cpu_tracks_end_run(struct cpu_tracks *tracks, int number);
/* Write that entries of this CPU were lost. */
void cpu_tracks_loss(struct cpu_tracks *tracks, const struct moment *at, uint64_t from,
		     uint64_t count);
/* Complete the tracks: write the tasks that are still running. */
void cpu_tracks_end(struct cpu_tracks *tracks);

#endif
