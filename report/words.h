/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_WORDS_H
#define _REPORT_SKB_WORDS_H

#include "packets.h"

/* Each writes a text that fits whatever comes, and returns it. */

#define DURATION_LEN	16
/* "850 ns", "12.3 us", "4.56 ms", "1.23 s" */
const char *words_duration(char *buf, uint64_t ns);

#define TIME_LEN	32
/* Seconds and microseconds, as trace-cmd report has them. */
const char *words_time(char *buf, uint64_t ts);

#define TCP_FLAGS_LEN	9
/* As tcpdump has them: "S.", "P."; "-" for none. */
const char *words_tcp_flags(char *buf, const struct packet *packet);

#define PATH_LEN	256
/* "va > vb"; with the namespaces if there are several; "-" for none. */
const char *words_path(char *buf, const struct packet *packet, const struct devices *devices);

#define VERDICT_LEN	192
/* "delivered to a socket by tcp_queue_rcv" */
const char *words_verdict(char *buf, const struct packet *packet, const struct devices *devices);

/* One word, for machines. */
const char *words_verdict_name(enum verdict verdict);

/* The flow without the packet's number, in a buffer of FLOW_TEXT_LEN. */
const char *words_flow(char *buf, const struct packet *packet);

#endif
