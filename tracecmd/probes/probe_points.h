/* SPDX-License-Identifier: GPL-2.0 */
/* probe_points.h - check which functions can be probed, pass the probe points to the module, and list them */
#ifndef _RECORD_SKB_PROBE_POINTS_H
#define _RECORD_SKB_PROBE_POINTS_H

#include <stdbool.h>
#include <stdio.h>

#include "err.h"
#include "probes/kernel_functions.h"
#include "record_skb.h"
#include "text.h"

/**
 * struct probe_globs - the probe points of -g, in addition to those of the built-in table
 * @v: array of probe points; owned
 * @n: number of elements
 */
struct probe_globs {
	struct record_skb_point *v;
	size_t n;
};

/**
 * probe_globs_add - add the functions that "-g PATTERN" selects to the probe points
 * @extra: the functions are added to this list, unless the list has them already
 * @kernel: the running kernel; its functions are read here if necessary
 * @pattern: a name or a glob
 * @say: called with a warning for each function that matches a glob and is left out, because another
 *	ftrace user redirects it
 * @err: if no function can be probed, set to the reason
 *
 * A name must be that of a function that can be probed. For a glob, it suffices that one of the functions
 * that match can be probed. Returns 0 or -1.
 */
int probe_globs_add(struct probe_globs *extra, struct kernel *kernel, const char *pattern,
		    void (*say)(const char *text), struct err *err);
void probe_globs_free(struct probe_globs *extra);

/**
 * point_is_free - check that no other user of ftrace redirects a function of the built-in table
 * @kernel: the running kernel
 * @point: probe point of the function
 * @say: called with the reason if another user redirects the function, so that it must not be probed
 *
 * This function does not check the arguments of the probed function; the module does.
 */
bool point_is_free(const struct kernel *kernel, const struct record_skb_point *point,
		   void (*say)(const char *text));

/**
 * probe_points_add_table - pass the probe points of the built-in table to the module
 * @session: from session_open()
 * @follow: true if tasks are followed, which needs additional probe points
 * @resets: true if the filter selects packets by TCP flags, which needs probe points where a call
 *	closes a socket and may send a reset
 * @kernel: the running kernel; functions that cannot be probed on this kernel are left out
 * @names: the names of the probed functions are added to this list
 * @lacks_points: set to true if a function is left out on which verdicts on packets depend
 * @say: called with a warning for each function that is left out. The warning tells the user which
 *	packets can be missing in the trace
 * @err: set to the reason if no probe point could be added
 *
 * Returns 0 or -1.
 */
int probe_points_add_table(int session, bool follow, bool resets, const struct kernel *kernel,
			   struct strings *names, bool *lacks_points, void (*say)(const char *text),
			   struct err *err);

/*
 * Pass the function that runs XDP programs to the module as a probe point. Returns false if the kernel does
 * not have it, or does not let ftrace trace it; then XDP programs are not recorded. The function gets into
 * @names if function_graph can record it without cost for other frames.
 */
bool probe_points_add_xdp(int session, struct strings *names);

/*
 * Pass the probe points of the user's option -g to the module. Returns 0, or -1 if the module rejects one of
 * them.
 */
int probe_points_add_extra(int session, const struct probe_globs *extra, struct strings *names,
			   struct err *err);

/*
 * Print the built-in table of probe points, and mark the functions that this kernel does not have. @functions
 * are the kernel's functions; NULL if they cannot be read.
 */
void list_points_table(FILE *out, const struct functions *functions);

void list_points_extra(FILE *out, const struct probe_globs *extra);

/*
 * Print the functions that the option "-g PATTERN" would probe. Returns 0. Returns -1 with @err if no
 * function matches @pattern, or if no matching function can be probed.
 */
int list_points_glob(FILE *out, const struct kernel *kernel, const char *pattern, struct err *err);

#endif
