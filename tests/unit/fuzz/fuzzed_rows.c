// SPDX-License-Identifier: LGPL-2.1
/*
 * fuzzed_rows.c - make a trace from the bytes of the fuzzer
 *
 * The bytes of the fuzzer are not the rows themselves, because most of these rows would have unknown
 * events. The bytes select rows from a set of valid rows, and places where these rows are damaged.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "fuzzed_rows.h"

static const uint64_t functions[8] = {
	GATE, IP_RCV, TCP_RCV, IP_OUTPUT, KFREE, SENDMSG, SOFTIRQ, 0xdead0000,
};

static const struct canned_flow flows[4] = {
	{ .family = AF_INET,
	  .proto = 6,
	  .saddr = "10.9.0.1",
	  .sport = 4242,
	  .daddr = "10.9.0.2",
	  .dport = 9000 },
	{ .family = AF_INET6,
	  .proto = 17,
	  .saddr = "fd09::1",
	  .sport = 53,
	  .daddr = "fd09::2",
	  .dport = 9000 },
	{ .family = AF_INET,
	  .proto = 1,
	  .saddr = "10.9.0.1",
	  .daddr = "10.9.0.2",
	  .icmp_type = 8,
	  .icmp_id = 7 },
	{ .ethertype = 0x806 },
};

/* Add one row to the trace. @b points to ROW_BYTES bytes, which select the row. */
static void add_row(struct canned_trace *t, const uint8_t *b)
{
	static const int pids[4] = { 0, 1, 100, 101 };
	const uint64_t func = functions[b[2] & 7];
	const int depth = (b[1] >> 2 & 15) - 1;
	const int pkt = b[2] >> 3 & 7;
	const int how = b[1] >> 6;
	struct canned_row *row;

	t->cpu = b[0] >> 4 & 3;
	t->pid = pids[b[1] & 3];
	t->ts += b[3];
	t->copy = b[3] & 3;
	switch ((enum canned_event)(b[0] & 15)) {
	case EV_ENTRY:
		row = enter(t, depth, func);
		break;
	case EV_EXIT:
		row = leave(t, depth, func);
		break;
	case EV_PACKET:
		row = packet(t, pkt, how, func, &flows[b[2] >> 6]);
		break;
	case EV_OTHER:
		row = other(t, func);
		break;
	case EV_CALL:
		row = call(t, how, func, &flows[b[2] >> 6]);
		break;
	case EV_RETURN:
		row = returns(t, pkt, func, (int8_t)b[3]);
		break;
	case EV_DROP:
		row = drop(t, pkt, b[3], func);
		break;
	case EV_COPY:
		row = copied(t, pkt, b[3] >> 2 & 3, b[3] >> 4, func);
		break;
	case EV_END:
		row = ends(t, pkt);
		break;
	case EV_SCHED:
		row = sched(t, b[2] & 7, pids[b[2] >> 3 & 3], b[2] >> 5);
		break;
	default:
		row = foreign(t);
		break;
	}
	if (b[0] & 0x40)
		row->missed_events = (int8_t)b[4];
	if (b[0] & 0x80) {
		row->data[b[5] % row->record.size] = b[6];
		row->cut = b[7] % row->record.size;
	}
}

/* Return: the number of the kind of machine that the trace pretends to come from. */
static unsigned int machine_number(const uint8_t *data)
{
	return (data[0] & 16 ? 1 + data[1] % CANNED_EVENTS : 0) * 16 + (data[0] & 15);
}

struct tep_handle *rows_tep(const uint8_t *data, const struct canned_trace *trace)
{
	static struct tep_handle *teps[16 * (1 + CANNED_EVENTS)];
	struct tep_handle **tep = &teps[machine_number(data)];
	struct tep_plugin_list *none;

	if (!*tep) {
		*tep = canned_open(&trace->machine, false, &none);
		tep_set_cpus(*tep, 4);
	}
	return *tep;
}

struct canned_trace *rows_make(const uint8_t *data, size_t size)
{
	struct canned_machine machine = { 0 };
	struct canned_trace *trace;

	if (size < 2)
		return NULL;
	machine.long_size = data[0] & 1 ? 4 : 8;
	machine.big_endian = data[0] & 2;
	machine.no_gate_name = data[0] & 4;
	machine.extra_field = data[0] & 8;
	if (data[0] & 16)
		machine.without_events = 1U << data[1] % CANNED_EVENTS;
	trace = canned_new(&machine);
	for (data += 2, size -= 2; size >= ROW_BYTES && trace->nr < CANNED_ROWS;
	     data += ROW_BYTES, size -= ROW_BYTES)
		add_row(trace, data);
	return trace;
}
