// SPDX-License-Identifier: LGPL-2.1
/*
 * gather.c - packets and where they stay, out of the pieces of a stream
 */
#include <stdlib.h>
#include <netinet/in.h>
#include <string.h>

#include <libkshark.h>

#include "gather.h"
#include "room.h"

/* Packets */

static const struct event_fields *fields_of(const struct resolver *resolver,
					    const struct event_place *event)
{
	return &resolver->rows->fields[event->noted->kind];
}

static void describe(const struct resolver *resolver, const struct event_place *event,
		     struct packet *packet)
{
	const struct tep_record record = noted_record(event->noted);
	const struct event_fields *fields = fields_of(resolver, event);
	char text[FLOW_TEXT_LEN];
	struct packet_facts facts;
	struct skb_event own;

	if (skb_event_read(fields, EVENT_PACKET, &record, &own))
		return;
	packet_facts_read(fields, &record, &facts);
	flow_text_packet(text, own.pkt, &own.flow);
	packet->text = strdup(text);
	packet->flow = own.flow_number;
	packet->dir = own.dir;
	packet->len = facts.net_len;
	packet->tcp_flags = facts.tcp_flags;
	packet->is_tcp = own.flow.family && own.flow.proto == IPPROTO_TCP;
}

char *packet_text(const struct resolver *resolver, uint32_t number)
{
	const struct event_place *event = tasks_first_event(resolver->tasks, number);
	struct packet packet = { .text = NULL };

	if (event)
		describe(resolver, event, &packet);
	return packet.text;
}

static uint32_t flow_of(const struct resolver *resolver, uint32_t number)
{
	const struct event_place *event = tasks_first_event(resolver->tasks, number);

	return event ? event_flow(resolver, event) : 0;
}

static void add_row(struct packet *packet, const struct kshark_entry *entry)
{
	if (entry->ts >= packet->last->ts)
		packet->last = entry;
	packet->cpus |= 1ull << (entry->cpu < 63 ? entry->cpu : 63);
}

/* One for each, in the order of their numbers. */
static void add_packets(const struct resolver *resolver, uint32_t number, struct packets *packets)
{
	const struct tasks *tasks = resolver->tasks;
	const struct event_place *event;
	struct packet *packet;
	size_t i;

	for (i = 0; i < tasks->nr_firsts; i++) {
		event = &tasks->events[tasks->firsts[i].event];
		if (number && event->packet != number)
			continue;
		if (!make_room(&packets->v, packets->n, &packets->room, sizeof(*packets->v)))
			return;
		packet = &packets->v[packets->n++];
		*packet = (struct packet){
			.number = event->packet,
			.first = event->noted->entry,
			.last = event->noted->entry,
		};
		describe(resolver, event, packet);
	}
}

static void add_stays(const struct task *task, struct packets *packets)
{
	const struct stay *stay;
	struct packet *packet;
	size_t i, n;

	for (i = 0; i < task->nr_pieces; i++) {
		for (n = 0; n < task->pieces[i].nr_stays; n++) {
			stay = &task->pieces[i].stays[n];
			packet = (struct packet *)packets_find(packets, stay->number);
			if (packet)
				add_row(packet, stay->last);
		}
	}
}

void gather_packets(struct resolver *resolver, struct tasks *tasks, uint32_t number,
		    struct packets *packets)
{
	const struct event_place *event;
	struct packet *packet;
	struct task *task;
	size_t i;

	add_packets(resolver, number, packets);
	for (i = 0; i < tasks->nr_events; i++) {
		event = &tasks->events[i];
		if (number && event->packet != number)
			continue;
		packet = (struct packet *)packets_find(packets, event->packet);
		if (packet)
			add_row(packet, event->noted->entry);
		if (event->piece != NO_PIECE)
			piece_resolve(resolver, event->task, &event->task->pieces[event->piece]);
	}
	for (i = 0; (task = table_next(&tasks->table, &i));)
		add_stays(task, packets);
}

void packets_free(struct packets *packets)
{
	size_t i;

	for (i = 0; i < packets->n; i++)
		free(packets->v[i].text);
	free(packets->v);
	*packets = (struct packets){ NULL };
}

/* Stays */

struct stays {
	struct stay *v;
	size_t n, room;
};

static bool in_view(const struct view *view, const struct kshark_entry *first,
		    const struct kshark_entry *last)
{
	return first->ts <= view->to && last->ts >= view->from;
}

static void add_stay(struct stays *stays, const struct view *view, const struct stay *stay)
{
	if ((view->of == VIEW_CPU ? stay->cpu : stay->pid) == view->id &&
	    in_view(view, stay->first, stay->last) &&
	    make_room(&stays->v, stays->n, &stays->room, sizeof(*stays->v)))
		stays->v[stays->n++] = *stay;
}

/*
 * Far out, most pieces are within one bin: that a packet is there is all that can be seen, and to look at
 * each line would take long.
 */
static bool add_narrow(struct stays *stays, const struct view *view, const struct piece *piece,
		       const struct stay *whole, int64_t *last_bin)
{
	int64_t bin = (whole->first->ts - view->from) / view->bin;

	if (!piece->over || whole->last->ts - whole->first->ts > view->bin ||
	    whole->first->cpu != whole->last->cpu)
		return false;
	if (piece->packet && bin != *last_bin) {
		*last_bin = bin;
		add_stay(stays, view, whole);
	}
	return true;
}

static void add_task(struct resolver *resolver, struct task *task, const struct view *view,
		     struct stays *stays)
{
	struct kshark_entry **rows = resolver->tasks->loaded->v;
	int64_t last_bin = INT64_MIN;
	struct stay whole;
	struct piece *piece;
	size_t i, n;

	for (i = 0; i < task->nr_pieces; i++) {
		piece = &task->pieces[i];
		whole = (struct stay){
			.number = piece->packet,
			.pid = task->pid,
			.cpu = rows[piece->first]->cpu,
			.first = rows[piece->first],
			.last = piece->last,
		};
		if (whole.first->ts > view->to || (piece->over && whole.last->ts < view->from) ||
		    (!piece->resolved && add_narrow(stays, view, piece, &whole, &last_bin)))
			continue;
		piece_resolve(resolver, task, piece);
		for (n = 0; n < piece->nr_stays; n++)
			add_stay(stays, view, &piece->stays[n]);
	}
}

/* On a CPU, or one of the two ways of a lane. */
static bool are_beside(const struct stay *x, const struct stay *y)
{
	return x->cpu == y->cpu && x->back == y->back;
}

static int by_place_and_time(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (!are_beside(x, y))
		return x->cpu < y->cpu || (x->cpu == y->cpu && x->back < y->back) ? -1 : 1;
	if (x->first->ts != y->first->ts)
		return x->first->ts < y->first->ts ? -1 : 1;
	return (x->last->ts < y->last->ts) - (x->last->ts > y->last->ts);
}

static int by_level_and_time(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	return (x->first->ts > y->first->ts) - (x->first->ts < y->first->ts);
}

/* Each stay is within those in front of it that have not ended when it begins. */
static void set_levels(struct stays *stays)
{
	struct stay **outer = calloc(stays->n, sizeof(*outer));
	size_t depth = 0, i;

	for (i = 0; outer && i < stays->n; i++) {
		struct stay *stay = &stays->v[i];

		while (depth && (!are_beside(outer[depth - 1], stay) ||
				 outer[depth - 1]->last->ts <= stay->first->ts))
			depth--;
		stay->level = depth;
		outer[depth++] = stay;
	}
	free(outer);
}

static void add_tasks(struct resolver *resolver, struct tasks *tasks, const struct view *view,
		      struct stays *stays)
{
	struct task *task;
	size_t i = 0;

	while ((task = table_next(&tasks->table, &i))) {
		if (view->of == VIEW_CPU || task->pid == view->id)
			add_task(resolver, task, view, stays);
	}
}

/* A graph that has been looked at says when it ended, another one when its last event was. */
static const struct kshark_entry *last_row(const struct event_place *event)
{
	const struct kshark_entry *last = event->noted->entry;
	const struct piece *piece;
	size_t i;

	if (event->piece == NO_PIECE)
		return last;
	piece = &event->task->pieces[event->piece];
	for (i = 0; i < piece->nr_stays; i++) {
		if (piece->stays[i].number == event->packet && piece->stays[i].last->ts > last->ts)
			last = piece->stays[i].last;
	}
	return last;
}

/* Far out, one of each way is enough in a bin. */
static void add_lane(const struct tasks *tasks, const struct lanes *lanes, const struct view *view,
		     struct stays *stays)
{
	int64_t last_bin[2] = { INT64_MIN, INT64_MIN }, bin;
	const struct lane_packet *packet;
	struct stay stay;
	size_t n;

	for (packet = lanes_find(lanes, view->id, &n); n; packet++, n--) {
		stay = (struct stay){
			.number = packet->number,
			.back = packet->back,
			.first = tasks->events[packet->first].noted->entry,
			.last = last_row(&tasks->events[packet->last]),
		};
		bin = (stay.first->ts - view->from) / view->bin;
		if (!in_view(view, stay.first, stay.last) ||
		    (bin == last_bin[stay.back] && stay.last->ts - stay.first->ts < view->bin))
			continue;
		last_bin[stay.back] = bin;
		if (make_room(&stays->v, stays->n, &stays->room, sizeof(*stays->v)))
			stays->v[stays->n++] = stay;
	}
}

struct stay *gather_stays(struct resolver *resolver, struct tasks *tasks, const struct lanes *lanes,
			  const struct view *view, size_t *n)
{
	struct stays stays = { NULL };
	size_t i;

	if (view->of == VIEW_FLOW)
		add_lane(tasks, lanes, view, &stays);
	else
		add_tasks(resolver, tasks, view, &stays);
	*n = stays.n;
	if (!stays.n)
		return NULL;
	for (i = 0; i < stays.n; i++)
		stays.v[i].flow = flow_of(resolver, stays.v[i].number);
	qsort(stays.v, stays.n, sizeof(*stays.v), by_place_and_time);
	set_levels(&stays);
	qsort(stays.v, stays.n, sizeof(*stays.v), by_level_and_time);
	return stays.v;
}
