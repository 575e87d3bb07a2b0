/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PACKET_TEXT_H
#define _RECORD_SKB_PACKET_TEXT_H

#include <stdbool.h>

#include "model/packets.h"

/* Each function writes its text into a buffer that is large enough for any input, and returns the buffer. */

#define NUMBER_LEN 24
/*
 * Format the number of a packet: "20". If several copies of the packet are shown, append the number of the
 * copy: "20.1".
 */
const char *words_number(char *buf, const struct packet *packet, const struct copy *copy);

/*
 * Print durations as "17 ticks", and times as plain numbers, if the clock of the recording does not count
 * nanoseconds. This happens only if the user chose such a clock (-C).
 */
void words_use_ticks(bool ticks);
bool words_are_in_ticks(void);

#define DURATION_LEN 32
/* Format a duration: "850 ns", "12.3 us", "4.56 ms" or "1.23 s". */
const char *words_duration(char *buf, uint64_t ns);

#define CLOCK_ERROR_LEN (DURATION_LEN + 8)
/* Format the error of times between two hosts, as in " (± 2.87 ms)"; an empty text for 0. Return: @buf. */
const char *words_clock_error(char *buf, uint64_t error);

#define TIME_LEN 32
/* Format a time as seconds and microseconds, as trace-cmd report does. */
const char *words_time(char *buf, uint64_t ts);

#define TCP_FLAGS_LEN 9
/* Format TCP flags as tcpdump does: "S.", "P."; "-" for none. */
const char *words_tcp_flags(char *buf, const struct copy *copy);

#define TCP_NUMBER_LEN 11
/* Format a TCP sequence number; "-" if the packet is not TCP. */
const char *words_tcp_number(char *buf, const struct copy *copy, uint32_t number);

#define PATH_LEN 4096
/*
 * Format the devices of a path: "va > vb". Network namespaces are added if there are several, and "-" stands
 * for no device. In joined recordings, the name of each host comes before its devices.
 */
const char *words_path(char *buf, const struct path *path, const struct devices *devices);

#define VERDICT_LEN 960
/* Format an outcome: "delivered to a socket (__udp_enqueue_schedule_skb)". */
const char *words_outcome(char *buf, const struct outcome *outcome, const struct devices *devices);

/*
 * Format the verdict on a packet and the number of its copies with each verdict: "...; copies: 2 delivered, 1
 * dropped".
 */
const char *words_verdict(char *buf, const struct packet *packet, const struct devices *devices);

/* Return: the verdict as one word, for programs that read the output. */
const char *words_verdict_name(enum verdict verdict);

/* Return: the plural ending of a noun after the number @n: "s" or "". */
const char *plural_of(uint64_t n);
/* Return: the verb after the number @n: "is" or "are". */
const char *verb_of(uint64_t n);

/* Format a flow. @buf has FLOW_TEXT_LEN bytes. */
const char *words_flow(char *buf, const struct flow *flow);

#endif
