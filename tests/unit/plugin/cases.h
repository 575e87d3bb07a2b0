/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _TEST_PLUGIN_CASES_H
#define _TEST_PLUGIN_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <cmocka.h>

#include "canned.h"

enum { OPEN, NESTED, HIDDEN };

extern const struct canned_flow tcp_a, tcp_b, tcp_v6, echo, arp;

/*
 * Add the rows with which the graph of packet 7 begins or ends: those of its gate and of ip_rcv(). The first
 * row is the event of the packet, with the flow tcp_a.
 */
static inline void open_graph(struct canned_trace *t)
{
	packet(t, 7, OPEN, IP_RCV, &tcp_a);
	enter(t, 0, GATE);
	enter(t, 1, IP_RCV);
}

static inline void close_graph(struct canned_trace *t)
{
	leave(t, 1, IP_RCV);
	leave(t, 0, GATE);
}

/* The text about each of the first four packets, as it follows the packet number on the packet's lines. */
#define TCP_A  "tcp 10.0.0.1:40312 > 10.0.0.2:9000"
#define TCP_B  "tcp 10.0.0.3:555 > 10.0.0.2:9000"
#define TCP_V6 "tcp [fe80::1]:40312 > [::1]:9000"
#define ECHO   "icmp 10.0.0.1 > 10.0.0.2 echo request id 77"

/**
 * expect - check the report of a trace in two programs: in trace-cmd, and in a program without libtracecmd
 *
 * The function also makes a report without the plugin. This report must be the same, except that the texts at
 * the ends of the lines are missing. The function frees the trace.
 */
void expect(struct canned_trace *trace, const char *report);
/*
 * Check the report in only one of the two programs. expect_in_trace_cmd() uses the functions of
 * libtracecmd, as Debian's trace-cmd does. expect_without_libtracecmd() does not use them.
 */
void expect_in_trace_cmd(struct canned_trace *trace, const char *report);
void expect_without_libtracecmd(struct canned_trace *trace, const char *report);

int run_graph_tests(void);
int run_interrupt_tests(void);
int run_flow_tests(void);
int run_damage_tests(void);
int run_option_tests(void);

#endif /* _TEST_PLUGIN_CASES_H */
