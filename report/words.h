/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_WORDS_H
#define _REPORT_SKB_WORDS_H

#include "packets.h"

/* Each writes a text that fits whatever comes, and returns it. */

#define NUMBER_LEN 24
/* "20"; with other copies "20.1" */
const char *words_number(char *buf, const struct packet *packet, const struct copy *copy);

#define DURATION_LEN 16
/* "850 ns", "12.3 us", "4.56 ms", "1.23 s" */
const char *words_duration(char *buf, uint64_t ns);

#define TIME_LEN 32
/* Seconds and microseconds, as trace-cmd report has them. */
const char *words_time(char *buf, uint64_t ts);

#define TCP_FLAGS_LEN 9
/* As tcpdump has them: "S.", "P."; "-" for none. */
const char *words_tcp_flags(char *buf, const struct copy *copy);

#define TCP_NUMBER_LEN 11
/* One of TCP's numbers; "-" of what is not TCP. */
const char *words_tcp_number(char *buf, const struct copy *copy, uint32_t number);

#define PATH_LEN 1024
/* "va > vb"; with the namespaces if there are several; "-" for none. */
const char *words_path(char *buf, const struct path *path, const struct devices *devices);

#define VERDICT_LEN 320
/* "delivered to a socket (__udp_enqueue_schedule_skb)" */
const char *words_outcome(char *buf, const struct outcome *outcome, const struct devices *devices);

/* Of the whole packet, with how many of its copies came to what: "...; copies: 2 delivered, 1 dropped". */
const char *words_verdict(char *buf, const struct packet *packet, const struct devices *devices);

/* One word, for machines. */
const char *words_verdict_name(enum verdict verdict);

/* The flow, in a buffer of FLOW_TEXT_LEN. */
const char *words_flow(char *buf, const struct flow *flow);

#endif
