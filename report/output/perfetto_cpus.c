// SPDX-License-Identifier: GPL-2.0
/* perfetto_cpus.c - write the tracks of the CPUs in the timeline: the tasks that ran there, and losses */
#include <stdio.h>
#include <stdlib.h>

#include "hash_table.h"
#include "hosts/hosts.h"
#include "model/packet_text.h"
#include "output/perfetto_cpus.h"

/*
 * State of a CPU. @task is the last task with a row on this CPU. @since is the time of the first row that
 * this task had there. @pkt is a packet that this task processed.
 */
struct cpu {
	struct track track;
	bool busy;
	uint64_t task, since, last;
	uint32_t pkt;
	char comm[TASK_NAME_LEN + 1];
};

struct cpu_tracks {
	struct trace_events *events;
	unsigned int group;
	struct table cpus; /* struct cpu */
};

struct cpu_tracks *cpu_tracks_new(struct trace_events *events, unsigned int group)
{
	struct cpu_tracks *tracks = calloc(1, sizeof(*tracks));

	if (!tracks)
		return NULL;
	tracks->events = events;
	tracks->group = group;
	return tracks;
}

void cpu_tracks_free(struct cpu_tracks *tracks)
{
	table_free(&tracks->cpus);
	free(tracks);
}

static struct cpu *cpu_of(struct cpu_tracks *tracks, int number)
{
	const struct table_key key = { .number = number };
	struct cpu *cpu = table_find(&tracks->cpus, key);
	char name[32 + ON_HOST_LEN], host[ON_HOST_LEN];

	if (cpu)
		return cpu;
	cpu = table_add(&tracks->cpus, key, calloc(1, sizeof(*cpu)));
	if (!cpu)
		return NULL;
	cpu->track.group = tracks->group + GROUPS_OF_HOST * hosts_of_cpu(number);
	cpu->track.id = FIRST_CPU + number;
	snprintf(name, sizeof(name), "CPU %d%s", hosts_cpu_of_cpu(number),
		 words_on_host_of_cpu(host, number));
	trace_event_name_track(tracks->events, &cpu->track, name);
	return cpu;
}

static void end_run(struct cpu_tracks *tracks, struct cpu *cpu)
{
	struct trace_events *events = tracks->events;

	if (!cpu->busy)
		return;
	cpu->busy = false;
	trace_event_begin(events, TRACE_SLICE, &cpu->track, cpu->since, "cpu", cpu->comm);
	trace_event_duration(events, cpu->last - cpu->since);
	if (cpu->task < FIRST_IDLE)
		trace_event_number(events, "task", cpu->task);
	if (cpu->pkt)
		trace_event_number(events, "packet", cpu->pkt);
	trace_event_end(events);
}

void cpu_tracks_note(struct cpu_tracks *tracks, const struct moment *at, uint64_t task,
		     uint32_t pkt)
{
	struct cpu *cpu = cpu_of(tracks, at->cpu);

	if (!cpu)
		return;
	if (cpu->busy && cpu->task != task)
		end_run(tracks, cpu);
	if (!cpu->busy) {
		cpu->busy = true;
		cpu->task = task;
		cpu->since = at->ts;
		cpu->pkt = 0;
		snprintf(cpu->comm, sizeof(cpu->comm), "%s", at->comm ? at->comm : "?");
	}
	cpu->last = at->ts;
	if (!cpu->pkt)
		cpu->pkt = pkt;
}

void cpu_tracks_end_run(struct cpu_tracks *tracks, int number)
{
	struct cpu *cpu = cpu_of(tracks, number);

	if (cpu)
		end_run(tracks, cpu);
}

void cpu_tracks_loss(struct cpu_tracks *tracks, const struct moment *at, uint64_t from,
		     uint64_t count)
{
	struct cpu *cpu = cpu_of(tracks, at->cpu);

	if (!cpu)
		return;
	end_run(tracks, cpu);
	trace_event_begin(tracks->events, TRACE_INSTANT, &cpu->track, at->ts, "loss",
			  "entries are lost");
	if (from)
		trace_event_number(tracks->events, "from_ns", from);
	if (count)
		trace_event_number(tracks->events, "entries", count);
	trace_event_end(tracks->events);
}

void cpu_tracks_end(struct cpu_tracks *tracks)
{
	struct cpu *cpu;
	size_t i = 0;

	while ((cpu = table_next(&tracks->cpus, &i)))
		end_run(tracks, cpu);
}
