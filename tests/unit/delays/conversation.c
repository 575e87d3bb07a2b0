// SPDX-License-Identifier: GPL-2.0
#include "conversation.h"

#include "model/packet_headers.h"

struct way way;
struct visit visit;
const struct name *dropped_in;
struct worked worked;
struct delays *delays;
static uint32_t number;
static bool has_way;

const struct way *stages_way(const struct stages *stages, uint32_t number)
{
	(void)stages;
	(void)number;
	return has_way ? &way : NULL;
}

struct lost_events losses;

const struct lost_events *stages_losses(const struct stages *stages)
{
	(void)stages;
	return &losses;
}

void says(const struct said *said)
{
	struct copy copy = {
		.seen = true,
		.payload = said->payload,
		.tcp_flags = said->flags,
		.seq = said->seq,
		.ack = said->ack,
		.dir = said->dir ? said->dir : RECORD_SKB_DIR_TX,
		.last = (said->last ? said->last : said->at + 1) * MS,
		.flow = { .family = FLOW_INET, .proto = said->udp ? PROTO_UDP : PROTO_TCP },
		.outcome = { .verdict = said->delivered ? VERDICT_DELIVERED : VERDICT_CONSUMED,
			     .reason = "" },
	};
	struct copy *copies[] = { &copy };
	const struct packet packet = {
		.number = ++number,
		.flow_number = 1,
		.first = said->at * MS,
		.last = copy.last,
		.copies = copies,
		.nr_copies = 1,
		.decided = &copy,
		.incomplete = said->incomplete,
		.slowest = worked.in,
		.slowest_ns = worked.ms * MS,
		.slowest_waited.no_cpu = worked.no_cpu * MS,
	};

	copy.flow.saddr[0] = said->by == CLIENT ? 1 : 2;
	copy.flow.daddr[0] = said->by == CLIENT ? 2 : 1;
	copy.flow.sport = said->by == CLIENT || said->same_ports ? 40000 : 80;
	copy.flow.dport = said->by == SERVER || said->same_ports ? 40000 : 80;
	if (said->dir == RECORD_SKB_DIR_TX)
		copy.outcome.verdict = VERDICT_SENT;
	if (dropped_in)
		copy.outcome =
			(struct outcome){ VERDICT_DROPPED, .where = dropped_in, .reason = "" };
	visit.delivered = said->delivered * MS;
	visit.in_order = said->is_unordered ? 0 : visit.delivered;
	visit.read = said->read * MS;
	way.visits = &visit;
	way.nr_visits = 1;
	way.called = said->called * MS;
	has_way = true;
	delays_packet(delays, &packet);
}

int begins(void **state)
{
	(void)state;
	number = 0;
	way = (struct way){ 0 };
	visit = (struct visit){ 0 };
	dropped_in = NULL;
	worked = (struct worked){ NULL };
	delays = delays_new(NULL, NULL, NULL);
	return !delays;
}

int ends(void **state)
{
	(void)state;
	delays_free(delays);
	lost_events_free(&losses);
	losses = (struct lost_events){ 0 };
	return 0;
}

void connects(void)
{
	says(&(struct said){ .by = CLIENT, .at = 1, .flags = SYN, .seq = 9 });
	says(&(struct said){ .by = SERVER, .at = 3, .flags = SYN | ACK, .seq = 99, .ack = 10 });
}

void asks(unsigned int read)
{
	says(&(struct said){ .by = CLIENT,
			     .at = 10,
			     .called = 9,
			     .delivered = 12,
			     .read = read,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 });
}

void longest_is(enum delay_kind kind, unsigned int ms, uint32_t first, uint32_t next)
{
	const struct delay *delay = delays_longest(delays);

	assert_non_null(delay);
	assert_int_equal(delay->kind, kind);
	assert_int_equal(delay->ns, ms * MS);
	assert_int_equal(delay->number, first);
	assert_int_equal(delay->next, next);
}

void answers(unsigned int called, unsigned int at)
{
	says(&(struct said){ .by = SERVER,
			     .at = at,
			     .called = called,
			     .delivered = at + 2,
			     .read = at + 3,
			     .flags = ACK,
			     .seq = 100,
			     .ack = 15,
			     .payload = 7 });
}
