// SPDX-License-Identifier: GPL-2.0
/* summary_test.c - test the parts of report-skb's summary */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/drop_evidence.h"
#include "model/histogram.h"
#include "model/packet_headers.h"
#include "model/resets.h"
#include "model/socket_reads.h"

static const struct name close_call = { .text = "__sys_close" };

/* Stand-in for the function names of a trace. It knows only the function at address 77. */
const struct name *names_of(struct names *names, uint64_t address)
{
	(void)names;
	return address == 77 ? &close_call : NULL;
}

/* Stand-in for the source lines of a trace. It knows only the line at address 77. */
const char *packet_dropped_line(const struct packet_dropped *packet, char line[SOURCE_LINE_LEN])
{
	return packet->address == 77 ? strcpy(line, "net/ipv4/ip_input.c:345") : NULL;
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Check percentiles of random durations. Up to 1024 durations, a percentile must be exact. With more
 * durations, its error must be at most 0.2%.
 */
static void percentiles_are_right(void **state)
{
	static const size_t counts[] = { 1, 2, 99, 1024, 1025, 20000 };
	static const unsigned int percents[] = { 1, 50, 90, 99, 100 };
	const char *seed = getenv("SEED");

	(void)state;
	srandom(seed ? strtoul(seed, NULL, 10) : 1);
	print_message("# seed %s\n", seed ? seed : "1");
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		uint64_t *times = calloc(counts[c], sizeof(*times));
		struct histogram histogram = { 0 };
		uint32_t longest = 0;

		for (size_t i = 0; i < counts[c]; i++) {
			times[i] = (uint64_t)random() << random() % 20;
			if (times[i] > times[longest])
				longest = i;
			assert_true(histogram_add(&histogram, times[i], i));
		}
		assert_int_equal(histogram.packet, longest);
		qsort(times, counts[c], sizeof(*times), by_time);
		for (size_t p = 0; p < sizeof(percents) / sizeof(percents[0]); p++) {
			const uint64_t want = times[(counts[c] * percents[p] + 99) / 100 - 1];
			const uint64_t got = histogram_percentile(&histogram, percents[p]);
			const uint64_t error = got > want ? got - want : want - got;

			assert_true(counts[c] <= 1024 ? !error : error <= want / 500);
		}
		assert_int_equal(histogram_percentile(&histogram, 100), times[counts[c] - 1]);
		histogram_free(&histogram);
		free(times);
	}
}

/* Resets */

static struct resets *resets;

static const struct flow flow = {
	.family = FLOW_INET, .proto = 6, .sport = 443, .dport = 40000, .saddr = { 1 }, .daddr = { 2 }
};

static const struct moment nginx = { .ts = 10, .pid = 812, .comm = "nginx" };
static const struct moment softirq = { .ts = 10, .pid = 812, .comm = "nginx", .softirq = true };

static void enter(const struct moment *at, const char *name, int depth)
{
	const struct name text = { .text = name };

	resets_observer.entered(resets, at, &(struct function){ .name = &text, .depth = depth });
}

static void leave(const struct moment *at, const char *name, int depth)
{
	const struct name text = { .text = name };

	resets_observer.left(resets, at, &(struct function){ .name = &text, .depth = depth });
}

/* Stands for the packets of a recording. Only its address is used. */
static const struct packets *const data_packets = (const void *)&resets;

/* Number of the last reset that a test has passed. */
static uint32_t last_reset;

/* Stand-in for the function that shows where a packet begins. */
static bool begins_here;

bool writes_len(const struct packet_seen *seen)
{
	(void)seen;
	return begins_here;
}

/* Give resets_observer a packet with a reset. Return: the text about this reset. */
static const char *say_reset(const struct moment *at, enum record_skb_dir dir, uint32_t within)
{
	static char text[RESET_LEN];
	const uint32_t number = ++last_reset;
	const struct skb_event event = { .pkt = number, .flow = flow, .flow_number = 5, .dir = dir };
	const struct packet_seen seen = {
		.event = &event, .facts.tcp_flags = TCP_RST, .within = within, .placed = true
	};

	resets_observer.packet(resets, at, &seen);
	assert_non_null(resets_find(resets, number));
	return words_reset(text, resets_find(resets, number), true);
}

/*
 * Stand-in for the packets of a recording. It knows only packet 3, which has data and the opposite
 * direction of a reset.
 */
const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	static struct copy copy = { .seen = true, .payload_now = 10, .outcome.reason = "" };
	static struct copy *copies[] = { &copy };
	static struct packet packet = { .number = 3, .copies = copies, .nr_copies = 1 };

	assert_ptr_equal(packets, data_packets);
	copy.flow = copy.flow_now = flow_reversed(&flow);
	return number == 3 ? &packet : NULL;
}

static void resets_have_senders(void **state)
{
	const struct skb_event call = { .func = 77, .flow = flow }, data = { .pkt = 3 };
	const struct packet_ended ended = { .event = &data };
	const struct name sends_reset = { .text = "tcp_v4_send_reset" };
	const struct function answer = { .name = &sends_reset, .depth = 9, .pkt = 3 };
	struct flow socket = flow;

	(void)state;
	resets = resets_create();
	assert_string_equal(say_reset(&nginx, RECORD_SKB_DIR_TX, 0), "sent by nginx-812");
	resets_observer.called(resets, &nginx, &call);
	enter(&nginx, "__tcp_close", 3);
	enter(&nginx, "tcp_send_active_reset", 4);
	assert_string_equal(
		say_reset(&nginx, RECORD_SKB_DIR_TX, 0),
		"sent by nginx-812 in __sys_close: closed with unread data, with a negative "
		"TCP_LINGER2, or with too many orphaned sockets");
	enter(&nginx, "tcp_disconnect", 4);
	assert_string_equal(
		say_reset(&nginx, RECORD_SKB_DIR_TX, 0),
		"sent by nginx-812 in __sys_close: closed at once (SO_LINGER with no time), or "
		"disconnected");
	leave(&nginx, "tcp_disconnect", 4);
	/* The same function also ends the connections in the accept queue of a listener that is closed. */
	enter(&nginx, "inet_csk_listen_stop", 4);
	enter(&nginx, "tcp_disconnect", 5);
	assert_string_equal(
		say_reset(&nginx, RECORD_SKB_DIR_TX, 0),
		"sent by nginx-812 in __sys_close: the listener was closed while the connection "
		"waited in its accept queue");
	leave(&nginx, "__tcp_close", 3);
	resets_observer.call_returned(resets, &nginx, &call);
	assert_string_equal(say_reset(&nginx, RECORD_SKB_DIR_TX, 0), "sent by nginx-812");
	/*
	 * A softirq interrupts a task. The functions of the softirq must not count as functions of the
	 * task.
	 */
	enter(&softirq, "tcp_v4_send_reset", 9);
	assert_string_equal(
		say_reset(&softirq, RECORD_SKB_DIR_TX, 20),
		"sent in answer to #20: no socket, or a packet that does not fit to its "
		"connection");
	leave(&softirq, "tcp_v4_send_reset", 9);
	assert_string_equal(say_reset(&softirq, RECORD_SKB_DIR_TX, 0),
			    "sent or forwarded by this machine");
	begins_here = true;
	assert_string_equal(say_reset(&softirq, RECORD_SKB_DIR_TX, 0), "sent by this machine");
	begins_here = false;
	assert_string_equal(say_reset(&softirq, RECORD_SKB_DIR_RX, 0),
			    "received; the recording does not show its sender");
	/* After a loss of rows, it is unknown which functions are open. */
	enter(&nginx, "__tcp_close", 3);
	resets_observer.lost(resets, &nginx, 0, 0);
	assert_string_equal(say_reset(&nginx, RECORD_SKB_DIR_TX, 0), "sent by nginx-812");
	/* If the call frees data, this data was not read. */
	resets_set_packets(resets, data_packets);
	resets_observer.called(resets, &nginx, &call);
	enter(&nginx, "__tcp_close", 3);
	resets_observer.ended(resets, &nginx, &ended);
	assert_string_equal(say_reset(&nginx, RECORD_SKB_DIR_TX, 0),
			    "sent by nginx-812 in __sys_close: closed with unread data (#3)");
	/* Another call freed unread data. This does not explain the reset. */
	resets_observer.called(resets, &nginx, &call);
	assert_non_null(strstr(say_reset(&nginx, RECORD_SKB_DIR_TX, 0), "TCP_LINGER2"));
	leave(&nginx, "__tcp_close", 3);
	resets_observer.call_returned(resets, &nginx, &call);
	/*
	 * The reset was sent in another namespace. The graph of the packet that it answers still shows who
	 * sent it.
	 */
	say_reset(&softirq, RECORD_SKB_DIR_RX, 0);
	resets_observer.entered(resets, &softirq, &answer);
	assert_string_equal(
		say_reset(&softirq, RECORD_SKB_DIR_RX, 0),
		"sent in answer to #3: no socket, or a packet that does not fit to its connection");
	leave(&softirq, "tcp_v4_send_reset", 9);
	/* The other end of the connection has received the last reset. */
	socket.sport = flow.dport;
	assert_int_equal(resets_of_socket(resets, 5, &socket)->packet, 14);
	assert_null(resets_of_socket(resets, 5, &flow));
	assert_null(resets_of_socket(resets, 6, &socket));
	resets_free(resets);
}

/* A call frees unread data. This explains a reset only if the reset is sent by the same call. */
static void freed_data_is_of_one_call(void **state)
{
	const struct skb_event call = { .func = 77, .flow = flow }, data = { .pkt = 3 };
	const struct packet_ended ended = { .event = &data };

	(void)state;
	resets = resets_create();
	resets_set_packets(resets, data_packets);
	resets_observer.called(resets, &nginx, &call);
	resets_observer.ended(resets, &nginx, &ended);
	resets_observer.call_returned(resets, &nginx, &call);
	enter(&nginx, "__tcp_close", 3);
	assert_non_null(strstr(say_reset(&nginx, RECORD_SKB_DIR_TX, 0), "TCP_LINGER2"));
	resets_free(resets);
}

/* A reset that comes more than a second after the graph of an answer is not this answer. */
static void old_answers_do_not_count(void **state)
{
	const struct name sends_reset = { .text = "tcp_v4_send_reset" };
	const struct function answer = { .name = &sends_reset, .depth = 9, .pkt = 3 };
	struct moment later = softirq;

	(void)state;
	resets = resets_create();
	resets_set_packets(resets, data_packets);
	resets_observer.entered(resets, &softirq, &answer);
	later.ts += 1000000000;
	assert_non_null(strstr(say_reset(&later, RECORD_SKB_DIR_RX, 0), "in answer to #3"));
	later.ts++;
	assert_string_equal(say_reset(&later, RECORD_SKB_DIR_RX, 0),
			    "received; the recording does not show its sender");
	resets_free(resets);
}

/* The events that tell_reset() passes have these values. */
static uint32_t unread;
static uint8_t socket_state = 1, probes = 2;

/*
 * Pass an event record_skb:reset. @callers are the functions that led to the reset, the innermost function
 * first.
 */
static void tell_reset(const struct moment *at, uint64_t skb, uint32_t pkt, const char *reason,
		       const char *const *callers)
{
	static struct name names[RECORD_SKB_RESET_CALLERS];
	const struct skb_event event = { .pkt = pkt, .skb = skb, .flow = flow };
	struct packet_reset reset = { .event = &event,
				      .facts.state = socket_state,
				      .facts.probes = probes,
				      .facts.unread = unread };

	snprintf(reset.facts.name, sizeof(reset.facts.name), "%s", reason);
	for (unsigned int i = 0; callers[i]; i++) {
		names[i] = (struct name){ .text = callers[i] };
		reset.callers[i] = &names[i];
	}
	resets_observer.reset(resets, at, &reset);
}

/* Return: the text about the reset that was sent last. */
static const char *say_again(uint32_t number)
{
	static char text[RESET_LEN];

	return words_reset(text, resets_find(resets, number), true);
}

/* Return: the text about a reset that the keepalive timer sends in the state FIN_WAIT2. */
static const char *say_in_fin_wait2(const char *reason, uint8_t nr_probes)
{
	static const char *const timer[] = { "tcp_send_active_reset", "tcp_keepalive_timer", NULL };

	socket_state = 5;
	probes = nr_probes;
	say_reset(&softirq, RECORD_SKB_DIR_TX, 0);
	tell_reset(&softirq, 0, 0, reason, timer);
	socket_state = 1;
	probes = 2;
	return say_again(last_reset);
}

/* In the state FIN_WAIT2, the socket may still be open and send keepalive probes. */
static void reset_in_fin_wait2(void **state)
{
	(void)state;
	resets = resets_create();
	assert_non_null(strstr(say_in_fin_wait2("TCP_KEEPALIVE_TIMEOUT", 2), "keepalive probes"));
	assert_non_null(strstr(say_in_fin_wait2("TCP_STATE", 2), "tcp_fin_timeout"));
	assert_non_null(strstr(say_in_fin_wait2("", 0), "tcp_fin_timeout"));
	assert_string_equal(say_in_fin_wait2("", 2),
			    "sent by this machine: a timer of TCP ran out");
	resets_free(resets);
}

static void kernel_tells_reason_of_reset(void **state)
{
	static const char *const timer[] = { "tcp_send_active_reset", "tcp_keepalive_timer", NULL };
	static const char *const orphan[] = { "tcp_send_active_reset", "tcp_write_timeout.isra.0",
					      "tcp_write_timer_handler", NULL };
	static const char *const listener[] = { "tcp_send_active_reset", "tcp_disconnect",
						"inet_csk_listen_stop", NULL };
	static const char *const interrupted[] = { "tcp_send_active_reset", "handle_softirqs",
						   "inet_csk_listen_stop", NULL };
	static const char *const answer[] = { "tcp_v4_send_reset", "tcp_v4_rcv", NULL };
	static const char *const closed[] = { "tcp_send_active_reset", "__tcp_close", NULL };
	static const char *const lingers[] = { "tcp_send_active_reset", "tcp_disconnect",
					       "__tcp_close", NULL };
	struct flow other = flow;
	char text[RESET_LEN];
	uint32_t number;

	(void)state;
	resets = resets_create();
	say_reset(&softirq, RECORD_SKB_DIR_TX, 0);
	number = last_reset;
	tell_reset(&softirq, 0, 0, "TCP_KEEPALIVE_TIMEOUT", timer);
	assert_string_equal(
		say_again(number),
		"sent by this machine: the peer did not answer keepalive probes (2 without an "
		"answer); the kernel's reason: TCP_KEEPALIVE_TIMEOUT");
	/*
	 * One event belongs to one reset. The first reset already has its event, so a second event in the
	 * same context belongs to another reset.
	 */
	tell_reset(&softirq, 0, 0, "TCP_STATE", listener);
	assert_non_null(strstr(say_again(number), "TCP_KEEPALIVE_TIMEOUT"));
	say_reset(&softirq, RECORD_SKB_DIR_TX, 0);
	tell_reset(&softirq, 0, 0, "", orphan);
	assert_non_null(strstr(say_again(last_reset), "tcp_max_orphans"));
	say_reset(&nginx, RECORD_SKB_DIR_TX, 0);
	tell_reset(&nginx, 0, 0, "NOT_SPECIFIED", listener);
	assert_string_equal(say_again(last_reset),
			    "sent by nginx-812: the listener was closed while the connection "
			    "waited in its accept queue");
	/*
	 * A softirq that interrupts a task sends a reset. The functions of the task must not count as its
	 * senders.
	 */
	say_reset(&softirq, RECORD_SKB_DIR_TX, 0);
	tell_reset(&softirq, 0, 0, "", interrupted);
	assert_string_equal(say_again(last_reset), "sent by this machine");
	/* The number of unread bytes explains a reset only if the socket was closed. */
	unread = 312;
	say_reset(&nginx, RECORD_SKB_DIR_TX, 0);
	tell_reset(&nginx, 0, 0, "", closed);
	assert_string_equal(say_again(last_reset),
			    "sent by nginx-812: closed with 312 unread bytes");
	assert_string_equal(words_reset(text, resets_find(resets, last_reset), false),
			    "sent by nginx: closed with unread data");
	say_reset(&nginx, RECORD_SKB_DIR_TX, 0);
	tell_reset(&nginx, 0, 0, "TCP_STATE", lingers);
	assert_null(strstr(say_again(last_reset), "unread"));
	unread = 0;
	/* The event about a reset comes first, and the reset follows. This reset answers packet 20. */
	tell_reset(&softirq, 99, 20, "NO_SOCKET", answer);
	assert_string_equal(say_reset(&softirq, RECORD_SKB_DIR_TX, 0),
			    "sent in answer to #20: the kernel's reason: NO_SOCKET");
	/* An event about another connection must not count for this reset. */
	other.sport++;
	tell_reset(&softirq, 99, 21, "NO_SOCKET", answer);
	resets_observer.packet(
		resets, &softirq,
		&(struct packet_seen){ .event = &(struct skb_event){ .pkt = 1000,
								     .flow = other,
								     .dir = RECORD_SKB_DIR_TX },
				       .facts.tcp_flags = TCP_RST,
				       .placed = true });
	assert_string_equal(say_again(1000), "sent or forwarded by this machine");
	resets_free(resets);
}

/* Tests of sockets that were read. */

static void reads_are_noted(void **state)
{
	const struct skb_event receive = {
		.func = 77, .flow = flow, .flow_number = 5, .dir = RECORD_SKB_DIR_RX
	};
	struct skb_event failed = receive, unconnected = receive;
	struct socket_reads *reads = socket_reads_create();
	const struct moment early = { .ts = 10, .pid = 1 }, late = { .ts = 20, .pid = 1 };
	struct flow packet = { .family = FLOW_INET, .proto = 6, .sport = 40000, .dport = 443 };

	(void)state;
	socket_reads_observer.called(reads, &early, &receive);
	assert_false(socket_reads_since(reads, 5, &packet, 5));
	socket_reads_observer.call_returned(reads, &early, &receive);
	assert_true(socket_reads_since(reads, 5, &packet, 10));
	assert_false(socket_reads_since(reads, 5, &packet, 11));
	assert_false(socket_reads_since(reads, 6, &packet, 5));
	/* A call that failed has read nothing. */
	failed.ret = -11;
	socket_reads_observer.called(reads, &late, &failed);
	socket_reads_observer.call_returned(reads, &late, &failed);
	assert_false(socket_reads_since(reads, 5, &packet, 11));
	/* If a socket is not connected, it may have read packets of each flow to its port. */
	unconnected.flow_number = 0;
	socket_reads_observer.called(reads, &late, &unconnected);
	socket_reads_observer.call_returned(reads, &late, &unconnected);
	assert_true(socket_reads_since(reads, 6, &packet, 20));
	packet.dport = 80;
	assert_false(socket_reads_since(reads, 6, &packet, 20));
	socket_reads_free(reads);
}

/* Tests of evidence for drops without a known cause. */

static void drops_have_evidence(void **state)
{
	const struct moment at = { .ts = 10, .pid = 1 };
	const struct name place = { .text = "ip_rcv_finish_core" },
			  route = { .text = "ip_route_input_noref" };
	const struct name early = { .text = "tcp_v4_early_demux" },
			  frees = { .text = "kfree_skb_reason" };
	struct skb_event event = { .pkt = 1 };
	struct packet_dropped dropped = { .event = &event,
					  .place = &place,
					  .facts.why = "NEW_REASON" };
	struct drop_evidence *evidence = drop_evidence_create();
	const struct observer *to = &drop_evidence_observer;
	const char *words;

	(void)state;
	to->entered(evidence, &at, &(struct function){ .name = &place, .depth = 3 });
	to->entered(evidence, &at, &(struct function){ .name = &early, .depth = 4 });
	to->left(evidence, &at, &(struct function){ .name = &early, .depth = 4 });
	to->entered(evidence, &at, &(struct function){ .name = &route, .depth = 4 });
	to->entered(evidence, &at, &(struct function){ .name = &early, .depth = 5 });
	to->left(evidence, &at, &(struct function){ .name = &route, .depth = 4 });
	to->entered(evidence, &at, &(struct function){ .name = &frees, .depth = 4 });
	to->dropped(evidence, &at, &dropped);
	words = drop_evidence_words(evidence, 1, 0);
	assert_string_equal(
		words,
		"the cause is not known; evidence: before the drop, ip_rcv_finish_core called "
		"tcp_v4_early_demux, and then ip_route_input_noref");
	/* Another packet with the same calls must have the same text, because both count as one cause. */
	event.pkt = 2;
	to->dropped(evidence, &at, &dropped);
	assert_ptr_equal(drop_evidence_words(evidence, 2, 0), words);
	/* No evidence may be shown if the cause is known, or after a loss of rows. */
	event.pkt = 3;
	strcpy(dropped.facts.why, "IP_RPFILTER");
	to->dropped(evidence, &at, &dropped);
	assert_null(drop_evidence_words(evidence, 3, 0));
	to->lost(evidence, &at, 0, 0);
	event.pkt = 4;
	strcpy(dropped.facts.why, "NEW_REASON");
	to->dropped(evidence, &at, &dropped);
	assert_null(drop_evidence_words(evidence, 4, 0));
	/*
	 * Even if the calls are lost, the offset of the drop must be shown. It must not be shown if the
	 * cause of the drop is known.
	 */
	event.pkt = 5;
	dropped.offset = 0x1a3;
	to->dropped(evidence, &at, &dropped);
	assert_string_equal(
		drop_evidence_words(evidence, 5, 0),
		"the cause is not known; evidence: dropped at ip_rcv_finish_core+0x1a3");
	assert_string_equal(drop_evidence_location(evidence, 5, 0), "ip_rcv_finish_core+0x1a3");
	event.pkt = 6;
	strcpy(dropped.facts.why, "IP_RPFILTER");
	to->dropped(evidence, &at, &dropped);
	assert_null(drop_evidence_location(evidence, 6, 0));
	/* The source line must follow the offset. */
	to->dropped(evidence, &at,
		    &(struct packet_dropped){ .event = &(struct skb_event){ .pkt = 8 },
					      .facts.why = "NEW_REASON",
					      .place = &place,
					      .offset = 0x1a3,
					      .address = 77 });
	assert_string_equal(drop_evidence_words(evidence, 8, 0),
			    "the cause is not known; evidence: dropped at "
			    "ip_rcv_finish_core+0x1a3 (net/ipv4/ip_input.c:345)");
	assert_string_equal(drop_evidence_source(evidence, 8, 0), "net/ipv4/ip_input.c:345");
	assert_null(drop_evidence_source(evidence, 5, 0));
	/* A drop at another offset has another place. */
	event.pkt = 7;
	strcpy(dropped.facts.why, "NEW_REASON");
	to->entered(evidence, &at, &(struct function){ .name = &place, .depth = 3 });
	to->dropped(evidence, &at, &dropped);
	assert_string_equal(
		drop_evidence_words(evidence, 7, 0),
		"the cause is not known; evidence: ip_rcv_finish_core was entered, and called "
		"nothing that is recorded before the drop at ip_rcv_finish_core+0x1a3");
	drop_evidence_free(evidence);
}

/*
 * Calls in the dropping function can show the cause of a drop. If the graph lacks this function, the calls
 * of its caller are the evidence.
 */
static void calls_show_causes(void **state)
{
	const struct moment at = { .ts = 10, .pid = 1 };
	const struct name caller = { .text = "ip_rcv" },
			  inlined = { .text = "ip_rcv_finish_core.isra.0" };
	const struct name route = { .text = "ip_route_input_noref" },
			  martian = { .text = "ip_handle_martian_source" };
	struct skb_event event = { .pkt = 1 };
	struct packet_dropped dropped = { .event = &event,
					  .place = &inlined,
					  .facts.why = "NOT_SPECIFIED" };
	struct drop_evidence *evidence = drop_evidence_create();
	const struct observer *to = &drop_evidence_observer;

	(void)state;
	to->entered(evidence, &at, &(struct function){ .name = &martian, .depth = 1 });
	to->left(evidence, &at, &(struct function){ .name = &martian, .depth = 1 });
	to->entered(evidence, &at, &(struct function){ .name = &caller, .depth = 1 });
	to->entered(evidence, &at, &(struct function){ .name = &route, .depth = 2 });
	/* A function that was called before ip_rcv() must not count as evidence for the packet. */
	to->dropped(evidence, &at, &dropped);
	assert_null(drop_evidence_cause(evidence, 1, 0));
	to->entered(evidence, &at, &(struct function){ .name = &martian, .depth = 3 });
	to->left(evidence, &at, &(struct function){ .name = &route, .depth = 2 });
	event.pkt = 2;
	to->dropped(evidence, &at, &dropped);
	assert_non_null(drop_evidence_cause(evidence, 2, 0));
	assert_non_null(
		strstr(drop_evidence_cause(evidence, 2, 0)->says, "ip_handle_martian_source()"));
	event.pkt = 3;
	strcpy(dropped.facts.why, "NEW_REASON");
	to->dropped(evidence, &at, &dropped);
	assert_null(drop_evidence_cause(evidence, 3, 0));
	assert_string_equal(drop_evidence_words(evidence, 3, 0),
			    "the cause is not known; evidence: before the drop in "
			    "ip_rcv_finish_core.isra.0, ip_rcv called ip_route_input_noref");
	drop_evidence_free(evidence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_right),
		cmocka_unit_test(resets_have_senders),
		cmocka_unit_test(freed_data_is_of_one_call),
		cmocka_unit_test(old_answers_do_not_count),
		cmocka_unit_test(reset_in_fin_wait2),
		cmocka_unit_test(kernel_tells_reason_of_reset),
		cmocka_unit_test(reads_are_noted),
		cmocka_unit_test(drops_have_evidence),
		cmocka_unit_test(calls_show_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
