// SPDX-License-Identifier: GPL-2.0
/*
 * perfetto.c - write the recording as a timeline for Perfetto and other viewers
 *
 * There are three groups of tracks: a track for each flow, for each task, and for each CPU. Functions are
 * slices of the track of their task. A function is written when it returns, so memory need not hold the whole
 * recording. A slice extends from the row of the function's entry to the row of its exit. Therefore the
 * slices of a task are always properly nested, and their times are the same as in trace-cmd report.
 *
 * A leaf function is written as one event. Any other function needs two events, because the event for its
 * beginning has to precede the events of nested functions.
 */
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "hash_table.h"
#include "model/explanations.h"
#include "model/function_stack.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "output/completeness.h"
#include "output/perfetto.h"
#include "output/perfetto_cpus.h"
#include "output/perfetto_flows.h"
#include "output/trace_event.h"

/*
 * Numbers of the groups of tracks. In joined recordings, host n adds n * GROUPS_OF_HOST to the numbers of its
 * groups for tasks and CPUs.
 */
enum group { GROUP_FLOWS = 1, GROUP_TASKS, GROUP_CPUS };

/*
 * An open function. @written is true if the event for its beginning was written. @dropped describes a packet
 * that the function dropped; NULL for none.
 */
struct slice {
	const struct name *name;
	int depth;
	uint32_t pkt, copy;
	bool point, shown, written;
	uint64_t since;
	char *dropped;
};

/*
 * State of a task. @starts is the number of a packet if a call graph of this packet has begun in the task. It
 * is 0 after the first function of this graph was shown.
 */
struct task {
	struct slice open[STACK_DEPTH];
	int nr;
	struct track track;
	uint64_t last;
	uint32_t starts;
	char call[FLOW_TEXT_LEN]; /* the call that opens the graph of the next function; usually empty */
};

/* A point on a track where an arrow can begin. */
struct place {
	bool known;
	struct track track;
	uint64_t ts;
};

/* A packet that has not ended, so that it was not written yet. */
struct live {
	bool forgotten;
	struct place last; /* a point in the last function that processed the packet */
	struct place call; /* a point in the call that sent the packet */
};

struct perfetto {
	struct trace_events *events;
	const struct selected_numbers *selected;
	struct stages *stages;
	struct packets **packets;
	struct explanations *explanations;
	struct table tasks; /* struct task */
	struct cpu_tracks *cpus;
	struct table lives; /* table of struct live, by number of the packet */
	uint64_t nr_arrows;
};

static bool has_no_slice(const void *thing)
{
	return !((const struct task *)thing)->nr;
}

static bool is_forgotten(const void *thing)
{
	return ((const struct live *)thing)->forgotten;
}

static void name_group(struct trace_events *events, enum group group, unsigned int host,
		       const char *things)
{
	const unsigned int number = group + host * GROUPS_OF_HOST;
	char name[ON_HOST_LEN + 8];

	snprintf(name, sizeof(name), "%s%s%s", things, hosts_count() ? " on " : "",
		 hosts_count() ? hosts_name(host) : "");
	trace_event_name_group(events, number, name, number);
}

static void name_groups(struct trace_events *events)
{
	unsigned int host = 0;

	trace_event_name_group(events, GROUP_FLOWS, "flows", GROUP_FLOWS);
	do {
		name_group(events, GROUP_TASKS, host, "tasks");
		name_group(events, GROUP_CPUS, host, "CPUs");
	} while (++host < hosts_count());
}

struct perfetto *perfetto_new(FILE *file, const struct selected_numbers *selected,
			      struct stages *stages, struct explanations *explanations,
			      struct packets **packets)
{
	struct perfetto *perfetto = calloc(1, sizeof(*perfetto));

	if (!perfetto)
		return NULL;
	perfetto->selected = selected;
	perfetto->stages = stages;
	perfetto->explanations = explanations;
	perfetto->packets = packets;
	perfetto->tasks.idle = has_no_slice;
	perfetto->lives.idle = is_forgotten;
	perfetto->events = trace_events_new(file);
	perfetto->cpus = perfetto->events ? cpu_tracks_new(perfetto->events, GROUP_CPUS) : NULL;
	if (!perfetto->cpus) {
		free(perfetto);
		return NULL;
	}
	name_groups(perfetto->events);
	return perfetto;
}

void perfetto_free(struct perfetto *perfetto)
{
	struct task *task;
	size_t i = 0;

	if (!perfetto)
		return;
	while ((task = table_next(&perfetto->tasks, &i)))
		while (task->nr)
			free(task->open[--task->nr].dropped);
	table_free(&perfetto->tasks);
	cpu_tracks_free(perfetto->cpus);
	table_free(&perfetto->lives);
	free(perfetto);
}

/* Tracks */

static struct task *task_of(struct perfetto *perfetto, const struct moment *at, bool add)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task = table_find(&perfetto->tasks, key);
	char name[TASK_NAME_LEN + 32 + ON_HOST_LEN], host[ON_HOST_LEN];

	if (task || !add)
		return task;
	task = table_add(&perfetto->tasks, key, calloc(1, sizeof(*task)));
	if (!task)
		return NULL;
	task->track.group = GROUP_TASKS + GROUPS_OF_HOST * (at->pid ? hosts_of_task(at->pid) :
								      hosts_of_cpu(at->cpu));
	task->track.id = at->pid ? (uint64_t)at->pid : FIRST_IDLE + at->cpu;
	if (at->pid)
		snprintf(name, sizeof(name), "%s%s", at->comm ? at->comm : "?",
			 words_on_host(host, at->pid));
	else
		snprintf(name, sizeof(name), "idle task of CPU %d%s", hosts_cpu_of_cpu(at->cpu),
			 words_on_host_of_cpu(host, at->cpu));
	trace_event_name_track(perfetto->events, &task->track, name);
	return task;
}

/* Return: the innermost open function that is shown in the timeline; NULL for none. */
static struct slice *innermost_slice(const struct task *task)
{
	for (int i = task->nr; i > 0; i--) {
		if (task->open[i - 1].shown)
			return (struct slice *)&task->open[i - 1];
	}
	return NULL;
}

/* Note that @task was running on this CPU, in a function that the timeline shows. */
static void note_run(struct perfetto *perfetto, const struct moment *at, const struct task *task,
		     uint32_t pkt)
{
	cpu_tracks_note(perfetto->cpus, at, task->track.id, pkt);
	if (!innermost_slice(task))
		cpu_tracks_end_run(perfetto->cpus, at->cpu);
}

/* Packets */

static struct live *live_of(struct perfetto *perfetto, uint32_t number)
{
	const struct table_key key = { .number = number };
	struct live *live = table_find(&perfetto->lives, key);

	if (!number || !selected_numbers_has(perfetto->selected, number))
		return NULL;
	if (!live)
		live = table_add(&perfetto->lives, key, calloc(1, sizeof(*live)));
	if (live)
		live->forgotten = false;
	return live;
}

static void forget_packet(struct perfetto *perfetto, const struct packet *packet)
{
	const struct table_key key = { .number = packet->number };
	struct live *live = table_find(&perfetto->lives, key);

	stages_forget(perfetto->stages, packet->number);
	explanations_forget(perfetto->explanations, packet);
	if (live)
		*live = (struct live){ .forgotten = true };
}

/* Functions */

static void add_packet(struct trace_events *events, const struct slice *slice)
{
	if (!slice->pkt)
		return;
	trace_event_number(events, "packet", slice->pkt);
	if (slice->point && slice->copy && slice->copy != RECORD_SKB_COPY_UNKNOWN)
		trace_event_number(events, "copy", slice->copy);
}

static void write_begin(struct perfetto *perfetto, struct task *task, struct slice *slice)
{
	struct trace_events *events = perfetto->events;

	slice->written = true;
	trace_event_begin(events, TRACE_BEGIN, &task->track, slice->since, NULL, slice->name->text);
	add_packet(events, slice);
	if (task->call[0])
		trace_event_text(events, "call", task->call);
	task->call[0] = '\0';
	trace_event_end(events);
}

/*
 * If the event for the beginning of the innermost function was held back, write it now: it must precede the
 * next event of the track.
 */
static void flush_begin(struct perfetto *perfetto, struct task *task)
{
	struct slice *slice = task->nr ? &task->open[task->nr - 1] : NULL;

	if (slice && slice->shown && !slice->written)
		write_begin(perfetto, task, slice);
}

static void write_arrow(struct perfetto *perfetto, const struct place *from, const struct place *to,
			const char *name)
{
	struct trace_events *events = perfetto->events;

	perfetto->nr_arrows++;
	trace_event_begin(events, TRACE_ARROW_FROM, &from->track, from->ts, "arrow", name);
	trace_event_id(events, perfetto->nr_arrows, 0);
	trace_event_end(events);
	trace_event_begin(events, TRACE_ARROW_TO, &to->track, to->ts, "arrow", name);
	trace_event_id(events, perfetto->nr_arrows, 0);
	trace_event_end(events);
}

/* Draw an arrow from the function that processed the packet last to the innermost function of @task. */
static void draw_arrow(struct perfetto *perfetto, const struct live *live, const struct moment *at,
		       struct task *task)
{
	const struct place to = { true, task->track, at->ts };

	if (!live || !live->last.known)
		return;
	flush_begin(perfetto, task);
	write_arrow(perfetto, &live->last, &to, "packet");
}

static void perfetto_handle_entry(void *data, const struct moment *at,
				  const struct function *function)
{
	struct perfetto *perfetto = data;
	struct task *task = task_of(perfetto, at, true);
	struct live *live;
	struct slice *slice;

	if (!task || task->nr == STACK_DEPTH)
		return;
	flush_begin(perfetto, task);
	slice = &task->open[task->nr++];
	*slice = (struct slice){
		.name = function->name,
		.depth = function->depth,
		.pkt = function->pkt,
		.copy = function->copy,
		.point = function->point,
		.since = at->ts,
		.shown =
			!function->name->gate &&
			(!function->pkt || selected_numbers_has(perfetto->selected, function->pkt)),
	};
	task->last = at->ts;
	if (function->starts)
		task->starts = function->pkt;
	if (slice->shown)
		note_run(perfetto, at, task, function->pkt);
	live = slice->shown ? live_of(perfetto, function->pkt) : NULL;
	if (!live)
		return;
	if (task->starts == function->pkt) {
		draw_arrow(perfetto, live, at, task);
		task->starts = 0;
	}
	/* This place is used until the function returns. perfetto_handle_exit() then replaces it. */
	live->last = (struct place){ true, task->track, at->ts };
}

static void write_end(struct perfetto *perfetto, const struct task *task, const struct slice *slice,
		      uint64_t ts, bool known)
{
	struct trace_events *events = perfetto->events;

	if (slice->written) {
		/*
		 * The format needs no name at the end of a slice, but speedscope ignores an end without the
		 * name.
		 */
		trace_event_begin(events, TRACE_END, &task->track, ts, NULL, slice->name->text);
	} else {
		trace_event_begin(events, TRACE_SLICE, &task->track, slice->since, NULL,
				  slice->name->text);
		trace_event_duration(events, ts - slice->since);
		add_packet(events, slice);
	}
	if (slice->dropped)
		trace_event_text(events, "dropped", slice->dropped);
	if (!known)
		trace_event_text(events, "end",
				 "not recorded; the slice ends at the last row before");
	trace_event_end(events);
}

/*
 * Remove @function from the open functions of the task, if it is the innermost of them. Return: true if
 * @function was removed.
 */
static bool pop_slice(struct task *task, const struct function *function, struct slice *slice)
{
	if (!task || !task->nr || task->open[task->nr - 1].depth != function->depth ||
	    task->open[task->nr - 1].name != function->name)
		return false;
	*slice = task->open[--task->nr];
	return true;
}

static void perfetto_handle_exit(void *data, const struct moment *at,
				 const struct function *function)
{
	struct perfetto *perfetto = data;
	struct task *task = task_of(perfetto, at, false);
	struct slice slice;
	struct live *live;

	if (!pop_slice(task, function, &slice))
		return;
	if (task->call[0] && slice.shown && !slice.written)
		write_begin(perfetto, task, &slice);
	if (slice.shown)
		write_end(perfetto, task, &slice, at->ts, true);
	free(slice.dropped);
	task->last = at->ts;
	if (slice.shown)
		note_run(perfetto, at, task, slice.pkt);
	live = slice.shown ? live_of(perfetto, slice.pkt) : NULL;
	/*
	 * A viewer attaches an arrow to the slice that is open at the time of the arrow. So let an arrow from
	 * this function begin just before the end of its slice.
	 */
	if (live)
		live->last = (struct place){ true, task->track,
					     at->ts > slice.since ? at->ts - 1 : slice.since };
}

static void perfetto_handle_abandoned(void *data, const struct moment *at,
				      const struct function *function)
{
	struct perfetto *perfetto = data;
	struct task *task = task_of(perfetto, at, false);
	struct slice slice;

	if (!pop_slice(task, function, &slice))
		return;
	if (slice.shown)
		write_end(perfetto, task, &slice, task->last, false);
	free(slice.dropped);
}

/* Calls and drops */

static void perfetto_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	struct task *task = task_of(data, at, true);

	if (!task)
		return;
	flush_begin(data, task);
	flow_text_call(task->call, &event->flow);
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct perfetto *perfetto = data;
	struct live *live = live_of(perfetto, seen->event->pkt);
	struct task *task = task_of(perfetto, at, false);
	const struct way *way;

	if (!live || live->call.known || live->last.known || !task || !innermost_slice(task))
		return;
	way = stages_way(perfetto->stages, seen->event->pkt);
	if (!way || !way->called)
		return;
	flush_begin(perfetto, task);
	live->call = (struct place){ true, task->track, at->ts };
}

/*
 * Handle the end of a packet that a task has read from its socket. Draw two arrows to this task: one from the
 * function that processed the packet last, and one from the call that sent the packet.
 */
static void perfetto_handle_end(void *data, const struct moment *at,
				const struct packet_ended *packet)
{
	struct perfetto *perfetto = data;
	const struct way *way = stages_way(perfetto->stages, packet->event->pkt);
	struct live *live = live_of(perfetto, packet->event->pkt);
	struct task *task = task_of(perfetto, at, false);
	const struct place to = { true, task ? task->track : (struct track){ 0 }, at->ts };

	for (unsigned int i = 0; live && way && i < way->nr_visits; i++) {
		const struct visit *visit = &way->visits[i];

		if (visit->copy != packet->event->copy || visit->read != at->ts || !task ||
		    !innermost_slice(task))
			continue;
		draw_arrow(perfetto, live, at, task);
		if (live->call.known)
			write_arrow(perfetto, &live->call, &to, "write to read");
		live->last = to;
	}
}

#define DROP_LEN (NUMBER_LEN + WHY_LEN + 8)

static const char *number_text(char *buf, uint32_t number, uint32_t copy)
{
	if (copy && copy != RECORD_SKB_COPY_UNKNOWN)
		snprintf(buf, NUMBER_LEN, "#%u.%u", number, copy);
	else
		snprintf(buf, NUMBER_LEN, "#%u", number);
	return buf;
}

/*
 * Attach the text about a drop to the function that decided to drop the packet. This function has called,
 * directly or not, the innermost function, which frees the packet.
 */
static void note_drop(struct task *task, const struct name *place, const char *text)
{
	struct slice *slice = innermost_slice(task);

	for (int i = task->nr; i > 0; i--) {
		if (task->open[i - 1].shown && place &&
		    !strcmp(task->open[i - 1].name->text, place->text)) {
			slice = &task->open[i - 1];
			break;
		}
	}
	if (slice && !slice->dropped)
		slice->dropped = strdup(text);
}

static void perfetto_handle_drop(void *data, const struct moment *at,
				 const struct packet_dropped *drop)
{
	struct perfetto *perfetto = data;
	struct trace_events *events = perfetto->events;
	struct live *live = live_of(perfetto, drop->event->pkt);
	struct task *task = live ? task_of(perfetto, at, true) : NULL;
	char text[DROP_LEN], number[NUMBER_LEN];

	/*
	 * Do not mark a drop without a specific reason: it may be no drop. The kernel frees packets in the
	 * same way when it empties the queue of a closed socket.
	 */
	if (!task || !drop->says_why)
		return;
	flush_begin(perfetto, task);
	number_text(number, drop->event->pkt, drop->event->copy);
	snprintf(text, sizeof(text), "%s %s", number, drop->facts.why);
	note_drop(task, drop->place, text);
	snprintf(text, sizeof(text), "drop %s", number);
	trace_event_begin(events, TRACE_INSTANT, &task->track, at->ts, "drop", text);
	trace_event_number(events, "packet", drop->event->pkt);
	trace_event_text(events, "reason", drop->facts.why);
	if (drop->place)
		trace_event_text(events, "function", drop->place->text);
	trace_event_end(events);
}

static void perfetto_handle_missing(void *data, const struct moment *at,
				    const struct calls_missing *calls)
{
	struct perfetto *perfetto = data;
	struct task *task = task_of(perfetto, at, false);

	if (!task || calls->again)
		return;
	flush_begin(perfetto, task);
	trace_event_begin(perfetto->events, TRACE_INSTANT, &task->track, at->ts, "loss",
			  "calls are missing");
	trace_event_number(perfetto->events, "calls", calls->calls);
	trace_event_end(perfetto->events);
}

static void perfetto_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	cpu_tracks_loss(((struct perfetto *)data)->cpus, at, from, count);
}

const struct observer perfetto_observer = {
	.packet = packet_seen,
	.dropped = perfetto_handle_drop,
	.ended = perfetto_handle_end,
	.called = perfetto_handle_call,
	.entered = perfetto_handle_entry,
	.left = perfetto_handle_exit,
	.abandoned = perfetto_handle_abandoned,
	.missing = perfetto_handle_missing,
	.lost = perfetto_handle_loss,
};

/* Packets */

static void one_packet(void *data, const struct packet *packet)
{
	struct perfetto *perfetto = data;
	const struct flow_spans spans = {
		.events = perfetto->events,
		.track = { GROUP_FLOWS, GROUP_FLOWS },
		.stages = perfetto->stages,
		.explanations = perfetto->explanations,
		.packets = perfetto->packets,
	};

	flow_spans_write(&spans, packet);
	forget_packet(perfetto, packet);
}

static void forget_other(void *data, const struct packet *packet)
{
	forget_packet(data, packet);
}

const struct output perfetto_output = { .packet = one_packet, .other = forget_other };

void perfetto_end(struct perfetto *perfetto, const struct ring_end *ring_end, bool has_beginning)
{
	cpu_tracks_end(perfetto->cpus);
	trace_events_end(perfetto->events, words_completeness(packets_losses(*perfetto->packets),
							      ring_end, has_beginning));
}
