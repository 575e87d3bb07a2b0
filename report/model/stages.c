// SPDX-License-Identifier: GPL-2.0
/* stages.c - find when each packet reached each stage of its path, and where it waited in between */
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/packet_copies.h"
#include "model/receive_order.h"
#include "model/stages.h"
#include "hash_table.h"

#define MAX_STEPS 1024

/* Data about a packet. They are kept until the packet was printed. */
struct kept {
	struct way way;
	bool forgotten;
};

/* The current socket call of a task. */
struct task {
	bool in_call;
	uint64_t func;
	uint8_t dir;
	uint32_t flow_number;
	uint16_t port; /* port of the socket */
	uint64_t since;
	uint64_t sent; /* time of the last packet that this call has sent, 0 for none */
};

struct stages {
	const struct packets *packets;
	struct tcp_send_queue *queue;
	struct receive_order *order;
	struct table kept;  /* table of struct kept, by packet number */
	struct table tasks; /* table of struct task, by PID */
	uint64_t newest;    /* time of the newest event */
};

static bool is_forgotten(const void *thing)
{
	return ((const struct kept *)thing)->forgotten;
}

static bool is_in_no_call(const void *thing)
{
	return !((const struct task *)thing)->in_call;
}

static in_order_callback note_in_order;

struct stages *stages_new(void)
{
	struct stages *stages = calloc(1, sizeof(*stages));

	if (!stages)
		return NULL;
	stages->kept.idle = is_forgotten;
	stages->tasks.idle = is_in_no_call;
	stages->queue = tcp_send_queue_new();
	stages->order = receive_order_create(note_in_order, stages);
	if (!stages->queue || !stages->order) {
		stages_free(stages);
		return NULL;
	}
	return stages;
}

static void empty_way(struct kept *kept)
{
	free(kept->way.steps);
	free(kept->way.visits);
	memset(&kept->way, 0, sizeof(kept->way));
}

void stages_free(struct stages *stages)
{
	struct kept *kept;
	size_t i = 0;

	if (!stages)
		return;
	while ((kept = table_next(&stages->kept, &i)))
		empty_way(kept);
	table_free(&stages->kept);
	table_free(&stages->tasks);
	tcp_send_queue_free(stages->queue);
	receive_order_free(stages->order);
	free(stages);
}

uint64_t stages_newest(const struct stages *stages)
{
	return stages->newest;
}

const struct lost_events *stages_losses(const struct stages *stages)
{
	return packets_losses(stages->packets);
}

void stages_set_packets(struct stages *stages, const struct packets *packets)
{
	stages->packets = packets;
}

static struct table_key packet_key(uint32_t number)
{
	return (struct table_key){ .number = number };
}

static struct way *find_way(const struct stages *stages, uint32_t number)
{
	struct kept *kept = table_find(&stages->kept, packet_key(number));

	return kept && !kept->forgotten ? &kept->way : NULL;
}

/* Remove the times in which rows were lost, because the packet may have reached other stages in between. */
static void drop_lost_times(const struct lost_events *losses, struct way *way)
{
	const struct rest *rest = &way->longest;
	unsigned int n = 0;

	for (unsigned int i = 0; i < way->nr_steps; i++) {
		const struct step *step = &way->steps[i];

		if (!lost_events_touch(losses, step->at - step->ns, step->at))
			way->steps[n++] = *step;
	}
	way->nr_steps = n;
	if (rest->ns && lost_events_touch(losses, rest->at - rest->ns, rest->at))
		way->longest = (struct rest){ 0 };
}

const struct way *stages_way(const struct stages *stages, uint32_t number)
{
	const struct lost_events *losses = packets_losses(stages->packets);
	struct way *way = find_way(stages, number);

	if (way && losses->n)
		drop_lost_times(losses, way);
	return way;
}

void stages_forget(struct stages *stages, uint32_t number)
{
	struct kept *kept = table_find(&stages->kept, packet_key(number));

	if (kept) {
		empty_way(kept);
		kept->forgotten = true;
	}
}

static struct way *way_of(struct stages *stages, uint32_t number)
{
	struct kept *kept;

	if (packets_is_gone(stages->packets, number))
		return NULL;
	kept = table_find(&stages->kept, packet_key(number));
	if (!kept)
		kept = table_add(&stages->kept, packet_key(number), calloc(1, sizeof(*kept)));
	if (!kept)
		return NULL;
	kept->forgotten = false;
	return &kept->way;
}

static struct visit *visit_of(struct way *way, uint32_t copy)
{
	struct visit *visits;

	for (unsigned int i = 0; i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy)
			return &way->visits[i];
	}
	visits = realloc(way->visits, (way->nr_visits + 1) * sizeof(*visits));
	if (!visits)
		return NULL;
	way->visits = visits;
	visits[way->nr_visits] = (struct visit){ .copy = copy };
	return &visits[way->nr_visits++];
}

static void note_in_order(void *data, uint32_t packet, uint32_t copy, uint64_t ts)
{
	const struct way *way = find_way(data, packet);

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy && !way->visits[i].in_order)
			way->visits[i].in_order = ts;
	}
}

static void step_to(struct way *way, struct visit *visit, enum stage stage, uint64_t ts,
		    unsigned int host)
{
	struct step *steps;

	if (stage == STAGE_NONE || stage == visit->stage)
		return;
	if (visit->stage != STAGE_NONE && ts >= visit->since && way->nr_steps < MAX_STEPS &&
	    hosts_clock_error(visit->host, host) != CLOCK_ERROR_UNKNOWN) {
		steps = realloc(way->steps, (way->nr_steps + 1) * sizeof(*steps));
		if (!steps)
			return;
		way->steps = steps;
		steps[way->nr_steps++] = (struct step){
			.from = visit->stage,
			.to = stage,
			.from_host = visit->host,
			.to_host = host,
			.copy = visit->copy,
			.at = ts,
			.ns = ts - visit->since,
		};
	}
	visit->stage = stage;
	visit->since = ts;
	visit->host = host;
}

/* Return: the copy number, or 0 if the event has none; see packet_events.c. */
static uint32_t known_number(uint32_t copy)
{
	return copy == RECORD_SKB_COPY_UNKNOWN ? 0 : copy;
}

/* Set where the copy has waited since its last probe point. */
static void rest_after(struct rest *rest, const struct copy *copy)
{
	rest->state = copy->fate.state;
	rest->after = rest->state == FATE_QUEUED ? copy->fate.where.id : copy->fate.at.id;
	rest->device = copy->path.n ? copy->path.hops[copy->path.n - 1].device : NO_DEVICE;
}

/*
 * Describe the wait of a new copy that has reached no probe point yet. It waits where the original skb
 * waited, for example in a qdisc that divides the packets in its queue into segments.
 */
static void rest_after_maker(struct rest *rest, const struct copy *maker)
{
	const struct name *where = maker->fate.where.id;

	rest_after(rest, maker);
	rest->after = where;
	if (rest->state == FATE_COPIED && where && where->facts &&
	    where->facts->role == ROLE_QUEUES)
		rest->state = FATE_QUEUED;
}

/*
 * Note the wait of a packet that has just reached a probe point. Its state is not updated yet, so the state
 * still shows where the packet waited.
 */
static void note_rest(const struct stages *stages, struct way *way, const struct visit *visit,
		      const struct packet *packet, const struct moment *at,
		      const struct name *before)
{
	const struct copy *copy = copies_find(packet, visit->copy);
	struct rest rest = { .copy = visit->copy,
			     .before = before,
			     .at = at->ts,
			     .from_host = visit->left_host,
			     .to_host = hosts_of_cpu(at->cpu) };

	if (visit->open || !visit->left || at->ts <= visit->left || !copy)
		return;
	rest.ns = at->ts - visit->left;
	/*
	 * Leave out a wait in which rows were lost. stages_way() would remove it, and the packet would
	 * have no wait then.
	 */
	if (rest.ns <= way->longest.ns || rest.ns <= rest_clock_error(&rest) ||
	    lost_events_touch(packets_losses(stages->packets), visit->left, at->ts))
		return;
	if (!copy->seen)
		copy = copies_find(packet, copy->from);
	if (!copy)
		return;
	if (copy->number == visit->copy)
		rest_after(&rest, copy);
	else
		rest_after_maker(&rest, copy);
	if (!at->softirq)
		rest.waited = sched_waits_of(at->waits, at->pid, visit->left, at->ts);
	way->longest = rest;
}

static struct task *task_of(const struct stages *stages, const struct moment *at)
{
	return at->softirq ? NULL :
			     table_find(&stages->tasks, table_task_key(at->pid, at->cpu, NULL));
}

/*
 * Note that the packet was created in a socket call of the task. The path of the packet begins with this
 * call.
 */
static void note_call(struct way *way, struct visit *visit, struct task *task,
		      const struct moment *at)
{
	way->called = task->since;
	way->pid = at->pid;
	snprintf(way->comm, sizeof(way->comm), "%s", at->comm ? at->comm : "");
	way->first_of_call = !task->sent;
	way->waited =
		sched_waits_of(at->waits, at->pid, task->sent ? task->sent : task->since, at->ts);
	task->sent = at->ts;
	step_to(way, visit, STAGE_CALL, task->since, hosts_of_cpu(at->cpu));
}

/* Return: @number, if a function is processing this packet; otherwise 0. */
static uint32_t worked_for(const struct stages *stages, uint32_t number)
{
	const struct way *way = number ? find_way(stages, number) : NULL;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].open)
			return number;
	}
	return 0;
}

static bool is_tcp_handler(const struct name *point)
{
	return point->facts && point->facts->role == ROLE_HANDLES_TCP;
}

static void stages_handle_probe(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct stages *stages = data;
	const struct packet *packet = packets_find(stages->packets, seen->event->pkt);
	const bool goes_out = seen->event->dir == RECORD_SKB_DIR_TX;
	struct task *task = task_of(stages, at);
	struct way *way = way_of(stages, seen->event->pkt);
	struct visit *visit = way ? visit_of(way, known_number(seen->event->copy)) : NULL;

	stages->newest = at->ts;
	if (!visit)
		return;
	if (packet)
		note_rest(stages, way, visit, packet, at, seen->point);
	if (!packet && goes_out)
		way->held = tcp_send_queue_handle_send(
			stages->queue, at, seen,
			worked_for(stages, tcp_send_queue_last_received(stages->queue, seen)));
	if (!packet && goes_out)
		receive_order_send(stages->order, at->ts, seen);
	if (!packet && goes_out && task && task->in_call && task->dir == RECORD_SKB_DIR_TX)
		note_call(way, visit, task, at);
	if (is_tcp_handler(seen->point))
		tcp_send_queue_handle_receive(stages->queue, seen);
	step_to(way, visit, stage_of(seen->point, seen->event->dir), at->ts, hosts_of_cpu(at->cpu));
}

static void stages_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	const struct stages *stages = data;
	struct task *task;
	size_t i = 0;

	(void)at;
	(void)from;
	(void)count;
	tcp_send_queue_forget(stages->queue);
	receive_order_lose(stages->order);
	/*
	 * Forget the calls of all tasks: after rows were lost, a task may have returned from its call and may
	 * have made another one.
	 */
	while ((task = table_next(&stages->tasks, &i)))
		task->in_call = false;
}

const struct observer stages_before_observer = { .packet = stages_handle_probe,
						 .lost = stages_handle_loss };

/* Sockets */

static void stages_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	struct stages *stages = data;
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task;

	if (at->softirq)
		return;
	tcp_send_queue_handle_call(stages->queue, at, event);
	task = table_find(&stages->tasks, key);
	if (!task)
		task = table_add(&stages->tasks, key, calloc(1, sizeof(*task)));
	if (task)
		*task = (struct task){
			.in_call = true,
			.func = event->func,
			.dir = event->dir,
			.flow_number = event->flow_number,
			.port = event->flow.sport,
			.since = at->ts,
		};
}

static void stages_handle_call_return(void *data, const struct moment *at,
				      const struct skb_event *event)
{
	struct stages *stages = data;
	struct task *task = task_of(stages, at);

	stages->newest = at->ts;
	tcp_send_queue_handle_return(stages->queue, at, event);
	if (!task || task->func != event->func)
		return;
	if (task->in_call && task->dir == RECORD_SKB_DIR_RX && event->ret > 0)
		receive_order_call(stages->order, at->ts, task->flow_number, task->port);
	task->in_call = false;
}

/*
 * Note the delivery if a socket has the copy now. Call this function after the state of the copy has changed.
 */
static void check_delivery(struct stages *stages, const struct moment *at, uint32_t number,
			   uint32_t copy_number)
{
	const struct packet *packet = packets_find(stages->packets, number);
	const struct copy *copy = packet ? copies_find(packet, known_number(copy_number)) : NULL;
	struct way *way;
	struct visit *visit;

	if (!copy || copy->fate.state != FATE_DELIVERED)
		return;
	way = way_of(stages, number);
	visit = way ? visit_of(way, copy->number) : NULL;
	if (!visit || visit->delivered)
		return;
	visit->delivered = at->ts;
	if (receive_order_deliver(stages->order, at->ts, packet, copy))
		visit->in_order = at->ts;
	step_to(way, visit, STAGE_SOCKET, at->ts, hosts_of_cpu(at->cpu));
}

static void stages_handle_return(void *data, const struct moment *at,
				 const struct function_left *left)
{
	check_delivery(data, at, left->event->pkt, left->event->copy);
}

/* Functions that process a packet */

static struct visit *at_point(struct stages *stages, const struct function *function,
			      struct way **way)
{
	if (!function->point || !function->pkt)
		return NULL;
	*way = way_of(stages, function->pkt);
	return *way ? visit_of(*way, known_number(function->copy)) : NULL;
}

static void stages_handle_entry(void *data, const struct moment *at,
				const struct function *function)
{
	struct stages *stages = data;
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	stages->newest = at->ts;
	if (visit)
		visit->open++;
}

/*
 * A function returned. If no other function is processing the copy, the copy waits from now on. So do new
 * copies of it that have not reached a probe point.
 */
static void begin_rest(struct stages *stages, const struct moment *at, struct way *way,
		       struct visit *visit, uint32_t number)
{
	const struct packet *packet = packets_find(stages->packets, number);
	/* Read the number now, because adding a visit may move the array. */
	const uint32_t from = visit->copy;

	if (visit->open && --visit->open)
		return;
	visit->left = at->ts;
	visit->left_host = hosts_of_cpu(at->cpu);
	for (unsigned int i = 0; packet && i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];
		struct visit *made;

		if (copy->seen || !copy->number || copy->from != from)
			continue;
		made = visit_of(way, copy->number);
		if (!made)
			return;
		made->left = at->ts;
		made->left_host = hosts_of_cpu(at->cpu);
	}
}

static void stages_handle_exit(void *data, const struct moment *at, const struct function *function)
{
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	if (!visit)
		return;
	check_delivery(data, at, function->pkt, function->copy);
	/* Look up the visit again, because check_delivery() may have moved the array. */
	begin_rest(data, at, way, visit_of(way, known_number(function->copy)), function->pkt);
}

/*
 * A new copy can replace the original skb. For example, the last fragment does so during reassembly. The new
 * copy then continues the wait of the original skb.
 */
static void stages_handle_copy(void *data, const struct moment *at, const struct skb_event *event)
{
	struct way *way = event->copy_kind == RECORD_SKB_COPY_MORPH ? way_of(data, event->pkt) :
								      NULL;
	struct visit *visit = way ? visit_of(way, known_number(event->from)) : NULL;
	uint64_t left;

	if (!visit || visit->open)
		return;
	left = visit->left;
	visit = visit_of(way, known_number(event->copy));
	if (!visit)
		return;
	visit->left = left;
	visit->left_host = hosts_of_cpu(at->cpu);
}

static void stages_handle_abandoned(void *data, const struct moment *at,
				    const struct function *function)
{
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	if (visit)
		begin_rest(data, at, way, visit, function->pkt);
}

/* Note that the task has read the whole copy. */
static void note_read(struct stages *stages, const struct moment *at, struct visit *visit,
		      const struct task *task, uint32_t number)
{
	const struct packet *packet = packets_find(stages->packets, number);
	const struct copy *copy = packet ? copies_find(packet, visit->copy) : NULL;

	visit->read = at->ts;
	visit->partly = copy &&
			receive_order_read(stages->order, at->ts, packet, copy, visit->in_order);
	visit->awaited = task->since < visit->in_order;
	if (visit->in_order)
		visit->waited = sched_waits_of(at->waits, at->pid, visit->in_order, at->ts);
}

/*
 * If a packet ends in a receiving call, the call has read the packet. There are two exceptions: the call may
 * be processing the backlog of its socket, and closing a socket also ends the packets in its queue.
 */
static void stages_handle_end(void *data, const struct moment *at,
			      const struct packet_ended *packet)
{
	struct stages *stages = data;
	const struct skb_event *event = packet->event;
	const struct task *task = task_of(stages, at);
	struct way *way = way_of(stages, event->pkt);
	struct visit *visit = way ? visit_of(way, known_number(event->copy)) : NULL;
	bool delivered = visit && visit->delivered;

	check_delivery(stages, at, event->pkt, event->copy);
	if (!delivered || packet->at_work || visit->read || !task || !task->in_call ||
	    task->dir != RECORD_SKB_DIR_RX)
		return;
	note_read(stages, at, visit, task, event->pkt);
	step_to(way, visit, STAGE_READER, at->ts, hosts_of_cpu(at->cpu));
}

const struct observer stages_after_observer = {
	.copied = stages_handle_copy,
	.returned = stages_handle_return,
	.ended = stages_handle_end,
	.called = stages_handle_call,
	.call_returned = stages_handle_call_return,
	.entered = stages_handle_entry,
	.left = stages_handle_exit,
	.abandoned = stages_handle_abandoned,
};
