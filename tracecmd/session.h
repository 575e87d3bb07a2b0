/* SPDX-License-Identifier: GPL-2.0 */
/* The module's file, which makes its holder the recorder of this machine. */
#ifndef _RECORD_SKB_SESSION_H
#define _RECORD_SKB_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "expression.h"
#include "packet-filter.h"
#include "record_skb.h"

/**
 * session_open - become the recorder of this machine, or one of several
 * @recording: set to its number among them; NULL for one that has the recording for itself
 * @err: why not; says who is, if somebody else is
 *
 * The module must be loaded. Whoever holds the file holds the recording: it is closed on exec, and
 * closing it disarms. Returns the file or -1.
 */
int session_open(unsigned int *recording, struct err *err);

/* Whether somebody has the first place of function_graph, as struct record_skb_info says. */
bool session_graph_first(int session);

/* Whether others share the recording with this session. */
bool session_is_beside(int session);

/* Returns 0, or -1 with @err saying who records now. The module need not be loaded. */
int session_is_held(struct err *err);

/* The module's calls. They return 0 or -1, with @err set. */
int session_set_filter(int session, const struct packet_filter *filter, const struct terms *terms,
		       struct err *err);
int session_set_options(int session, const struct record_skb_options *options, struct err *err);
int session_set_ring(int session, const struct record_skb_ring *ring,
		     const struct packet_filter *match, struct err *err);
int session_follow(int session, pid_t pid, struct err *err);
int session_arm(int session, struct err *err);
int session_disarm(int session, struct err *err);
int session_stats(int session, struct record_skb_stats *stats, struct err *err);

/**
 * session_add_point - ask for one more probe point
 * @session: from session_open()
 * @point: the function
 *
 * Returns 0 or the negative errno that record_skb.h gives a meaning for this call.
 */
int session_add_point(int session, const struct record_skb_point *point);

/**
 * session_function - ask for one of the functions that the module stands at when it is armed
 * @session: from session_open()
 * @function: which; its address is filled in
 *
 * Returns 0 or the negative errno that record_skb.h gives a meaning for this call.
 */
int session_function(int session, struct record_skb_function *function);

/* Where functions are that need not be looked up. Returns 0 or a negative errno. */
int session_set_addresses(int session, const struct record_skb_addresses *addresses);

/* The functions that the module is to give to function_graph. Returns 0 or a negative errno. */
int session_set_graph(int session, const struct record_skb_graph *graph);

/* What the kernel calls @address, as struct record_skb_symbol says, in @text. Returns 0 or -1. */
int session_symbol(int session, unsigned long long address, char *text);

/* Reads of @fd may return so many bytes from now on, if the module is there and the file is of that kind. */
void session_large_reads(int fd, unsigned int bytes);

#endif
