// SPDX-License-Identifier: GPL-2.0
/* stations.c - when each packet came to which station of its way, and where it lay in between */
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "stations.h"
#include "table.h"

#define MAX_STEPS 1024

/* What is kept of a packet; forgotten when it was shown. */
struct kept {
	struct way way;
	bool forgotten;
};

/* The socket call that a task is in. */
struct task {
	bool in_call;
	uint64_t func;
	uint8_t dir;
	uint64_t since;
	uint64_t sent; /* when it made a packet last, 0 if it has made none */
};

struct stations {
	const struct packets *packets;
	struct unsent *unsent;
	struct table kept;  /* by number of the packet */
	struct table tasks; /* by pid */
};

static bool is_forgotten(const void *thing)
{
	return ((const struct kept *)thing)->forgotten;
}

static bool is_in_no_call(const void *thing)
{
	return !((const struct task *)thing)->in_call;
}

struct stations *stations_new(void)
{
	struct stations *stations = calloc(1, sizeof(*stations));

	if (!stations)
		return NULL;
	stations->kept.idle = is_forgotten;
	stations->tasks.idle = is_in_no_call;
	stations->unsent = unsent_new();
	if (!stations->unsent) {
		free(stations);
		return NULL;
	}
	return stations;
}

static void empty(struct kept *kept)
{
	free(kept->way.steps);
	free(kept->way.visits);
	memset(&kept->way, 0, sizeof(kept->way));
}

void stations_free(struct stations *stations)
{
	struct kept *kept;
	size_t i = 0;

	if (!stations)
		return;
	while ((kept = table_next(&stations->kept, &i)))
		empty(kept);
	table_free(&stations->kept);
	table_free(&stations->tasks);
	unsent_free(stations->unsent);
	free(stations);
}

void stations_set_packets(struct stations *stations, const struct packets *packets)
{
	stations->packets = packets;
}

static struct table_key packet_key(uint32_t number)
{
	return (struct table_key){ .number = number };
}

const struct way *stations_way(const struct stations *stations, uint32_t number)
{
	const struct kept *kept = table_find(&stations->kept, packet_key(number));

	return kept && !kept->forgotten ? &kept->way : NULL;
}

void stations_forget(struct stations *stations, uint32_t number)
{
	struct kept *kept = table_find(&stations->kept, packet_key(number));

	if (kept) {
		empty(kept);
		kept->forgotten = true;
	}
}

static struct way *way_of(struct stations *stations, uint32_t number)
{
	struct kept *kept;

	if (packets_is_gone(stations->packets, number))
		return NULL;
	kept = table_find(&stations->kept, packet_key(number));
	if (!kept)
		kept = table_add(&stations->kept, packet_key(number), calloc(1, sizeof(*kept)));
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

/* Stations */

const char *station_name(enum station station)
{
	static const char *const names[STATIONS] = {
		[STATION_NONE] = "?",
		[STATION_CALL] = "call",
		[STATION_OUTPUT] = "output",
		[STATION_QDISC] = "qdisc",
		[STATION_DRIVER] = "driver",
		[STATION_RECEIVE] = "receive",
		[STATION_PROTOCOL] = "protocol",
		[STATION_FORWARD] = "forward",
		[STATION_SOCKET] = "socket queue",
		[STATION_READER] = "reader",
	};

	return names[station];
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static enum station way_out(const struct name *point)
{
	if (!strcmp(point->text, "__dev_queue_xmit") || !strcmp(point->text, "sch_direct_xmit"))
		return STATION_QDISC;
	/* A driver's own may be a function that nothing is known of. */
	if (!point->facts || point->facts->role == ROLE_SENDS ||
	    point->facts->role == ROLE_DRIVES || point->facts->role == ROLE_CROSSES)
		return STATION_DRIVER;
	return STATION_OUTPUT;
}

static enum station station_of(const struct name *point, enum record_skb_dir dir)
{
	if (dir == RECORD_SKB_DIR_TX)
		return way_out(point);
	if (dir != RECORD_SKB_DIR_RX || !point->facts)
		return STATION_NONE;
	if (begins(point->text, "napi_") || begins(point->text, "netif_") ||
	    begins(point->text, "gro_") || begins(point->text, "__netif_"))
		return STATION_RECEIVE;
	if (!strcmp(point->text, "ip_forward") || !strcmp(point->text, "ip6_forward"))
		return STATION_FORWARD;
	return STATION_PROTOCOL;
}

static void step_to(struct way *way, struct visit *visit, enum station station, uint64_t ts)
{
	struct step *steps;

	if (station == STATION_NONE || station == visit->station)
		return;
	if (visit->station != STATION_NONE && ts >= visit->since && way->nr_steps < MAX_STEPS) {
		steps = realloc(way->steps, (way->nr_steps + 1) * sizeof(*steps));
		if (!steps)
			return;
		way->steps = steps;
		steps[way->nr_steps++] = (struct step){
			.from = visit->station,
			.to = station,
			.ns = ts - visit->since,
		};
	}
	visit->station = station;
	visit->since = ts;
}

/* As packets.c has them. */
static uint32_t known_number(uint32_t copy)
{
	return copy == RECORD_SKB_COPY_UNKNOWN ? 0 : copy;
}

/* Where a copy lay that stood at a point before. */
static void rest_after(struct rest *rest, const struct copy *copy)
{
	rest->state = copy->fate.state;
	rest->after = rest->state == FATE_QUEUED ? copy->fate.where.id : copy->fate.at.id;
	rest->device = copy->path.n ? copy->path.hops[copy->path.n - 1] : NO_DEVICE;
}

/* Where one lay that its maker made, as a queue does that cuts what it is given. */
static void rest_after_maker(struct rest *rest, const struct copy *maker)
{
	const struct name *where = maker->fate.where.id;

	rest_after(rest, maker);
	rest->after = where;
	if (rest->state == FATE_COPIED && where && where->facts &&
	    where->facts->role == ROLE_QUEUES)
		rest->state = FATE_QUEUED;
}

/* It lay somewhere, and comes to a point now. What is known of it is still what was known then. */
static void rested(struct way *way, const struct visit *visit, const struct packet *packet,
		   const struct moment *at, const struct name *before)
{
	const struct copy *copy = copies_find(packet, visit->copy);
	struct rest rest = { .copy = visit->copy, .before = before };

	if (visit->open || !visit->left || at->ts <= visit->left || !copy)
		return;
	rest.ns = at->ts - visit->left;
	if (rest.ns <= way->longest.ns)
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
		rest.waited = waits_of(at->waits, at->pid, visit->left, at->ts);
	way->longest = rest;
}

static struct task *task_of(const struct stations *stations, const struct moment *at)
{
	return at->softirq ? NULL :
			     table_find(&stations->tasks, table_task_key(at->pid, at->cpu, NULL));
}

/* It is made in a call: that is where it comes from. */
static void is_called_for(struct way *way, struct visit *visit, struct task *task,
			  const struct moment *at)
{
	way->called = task->since;
	way->first_of_call = !task->sent;
	way->waited = waits_of(at->waits, at->pid, task->sent ? task->sent : task->since, at->ts);
	task->sent = at->ts;
	step_to(way, visit, STATION_CALL, task->since);
}

/* Its calls of TCP are none of a packet's: what the packet does there is in no label of the graph. */
static uint32_t worked_for(const struct stations *stations, uint32_t number)
{
	const struct way *way = number ? stations_way(stations, number) : NULL;

	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].open)
			return number;
	}
	return 0;
}

static bool is_tcps(const struct name *point)
{
	return point->facts && point->facts->role == ROLE_HANDLES_TCP;
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct stations *stations = data;
	const struct packet *packet = packets_find(stations->packets, seen->event->pkt);
	const bool goes_out = seen->event->dir == RECORD_SKB_DIR_TX;
	struct task *task = task_of(stations, at);
	struct way *way = way_of(stations, seen->event->pkt);
	struct visit *visit = way ? visit_of(way, known_number(seen->event->copy)) : NULL;

	if (!visit)
		return;
	if (packet)
		rested(way, visit, packet, at, seen->point);
	if (!packet && goes_out)
		way->held = unsent_sends(stations->unsent, at, seen,
					 worked_for(stations, unsent_came(stations->unsent, seen)));
	if (!packet && goes_out && task && task->in_call && task->dir == RECORD_SKB_DIR_TX)
		is_called_for(way, visit, task, at);
	if (is_tcps(seen->point))
		unsent_received(stations->unsent, seen);
	step_to(way, visit, station_of(seen->point, seen->event->dir), at->ts);
}

static void lost(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	const struct stations *stations = data;
	struct task *task;
	size_t i = 0;

	(void)at;
	(void)from;
	(void)count;
	unsent_lost(stations->unsent);
	/* It may have returned, and called again. */
	while ((task = table_next(&stations->tasks, &i)))
		task->in_call = false;
}

const struct sink stations_before_sink = { .packet = packet_seen, .lost = lost };

/* Sockets */

static void called(void *data, const struct moment *at, const struct skb_event *event)
{
	struct stations *stations = data;
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task;

	if (at->softirq)
		return;
	unsent_called(stations->unsent, at, event);
	task = table_find(&stations->tasks, key);
	if (!task)
		task = table_add(&stations->tasks, key, calloc(1, sizeof(*task)));
	if (task)
		*task = (struct task){
			.in_call = true,
			.func = event->func,
			.dir = event->dir,
			.since = at->ts,
		};
}

static void call_returned(void *data, const struct moment *at, const struct skb_event *event)
{
	struct stations *stations = data;
	struct task *task = task_of(stations, at);

	unsent_returned(stations->unsent, at, event);
	if (task && task->func == event->func)
		task->in_call = false;
}

/* Something was learned of a copy: a socket may have it. */
static void look_at(struct stations *stations, const struct moment *at, uint32_t number,
		    uint32_t copy_number)
{
	const struct packet *packet = packets_find(stations->packets, number);
	const struct copy *copy = packet ? copies_find(packet, known_number(copy_number)) : NULL;
	struct way *way;
	struct visit *visit;

	if (!copy || copy->fate.state != FATE_DELIVERED)
		return;
	way = way_of(stations, number);
	visit = way ? visit_of(way, copy->number) : NULL;
	if (!visit || visit->delivered)
		return;
	visit->delivered = at->ts;
	step_to(way, visit, STATION_SOCKET, at->ts);
}

static void returned(void *data, const struct moment *at, const struct function_left *left)
{
	look_at(data, at, left->event->pkt, left->event->copy);
}

/* At work */

static struct visit *at_point(struct stations *stations, const struct function *function,
			      struct way **way)
{
	if (!function->point || !function->pkt)
		return NULL;
	*way = way_of(stations, function->pkt);
	return *way ? visit_of(*way, known_number(function->copy)) : NULL;
}

static void entered(void *data, const struct moment *at, const struct function *function)
{
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	(void)at;
	if (visit)
		visit->open++;
}

/* Nobody works for it from now on, nor for what was made of it meanwhile and has been seen nowhere. */
static void lies_down(struct stations *stations, const struct moment *at, struct way *way,
		      struct visit *visit, uint32_t number)
{
	const struct packet *packet = packets_find(stations->packets, number);
	/* The visits may move when one is added. */
	const uint32_t from = visit->copy;

	if (visit->open && --visit->open)
		return;
	visit->left = at->ts;
	for (unsigned int i = 0; packet && i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];
		struct visit *made;

		if (copy->seen || !copy->number || copy->from != from)
			continue;
		made = visit_of(way, copy->number);
		if (!made)
			return;
		made->left = at->ts;
	}
}

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	if (!visit)
		return;
	look_at(data, at, function->pkt, function->copy);
	/* Others may have come, and their places changed. */
	lies_down(data, at, way, visit_of(way, known_number(function->copy)), function->pkt);
}

/* What takes another's place, as the last fragment the first one's, lies where that lay. */
static void copied(void *data, const struct moment *at, const struct skb_event *event)
{
	struct way *way = event->copy_kind == RECORD_SKB_COPY_MORPH ? way_of(data, event->pkt) :
								      NULL;
	struct visit *visit = way ? visit_of(way, known_number(event->from)) : NULL;
	uint64_t left;

	(void)at;
	if (!visit || visit->open)
		return;
	left = visit->left;
	visit = visit_of(way, known_number(event->copy));
	if (visit)
		visit->left = left;
}

static void abandoned(void *data, const struct moment *at, const struct function *function)
{
	struct way *way;
	struct visit *visit = at_point(data, function, &way);

	if (visit)
		lies_down(data, at, way, visit, function->pkt);
}

/*
 * In a call that receives, it is its reader that ends it, unless it is still on its way there, by the backlog
 * of a socket that was locked. A socket that is closed ends what it has, too.
 */
static void ended(void *data, const struct moment *at, const struct packet_ended *packet)
{
	struct stations *stations = data;
	const struct skb_event *event = packet->event;
	const struct task *task = task_of(stations, at);
	struct way *way = way_of(stations, event->pkt);
	struct visit *visit = way ? visit_of(way, known_number(event->copy)) : NULL;
	bool delivered = visit && visit->delivered;

	look_at(stations, at, event->pkt, event->copy);
	if (!delivered || packet->at_work || visit->read || !task || !task->in_call ||
	    task->dir != RECORD_SKB_DIR_RX)
		return;
	visit->read = at->ts;
	visit->awaited = task->since < visit->delivered;
	visit->waited = waits_of(at->waits, at->pid, visit->delivered, at->ts);
	step_to(way, visit, STATION_READER, at->ts);
}

const struct sink stations_behind_sink = {
	.copied = copied,
	.returned = returned,
	.ended = ended,
	.called = called,
	.call_returned = call_returned,
	.entered = entered,
	.left = left,
	.abandoned = abandoned,
};
