/* SPDX-License-Identifier: GPL-2.0 */
/* probe_points.h - check which functions can be probed, pass them to the module, and list them */
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
 * probe_globs_add - add the functions that "-g PATTERN" selects
 * @extra: the functions are added to this list unless it has them already
 * @kernel: the running kernel; its functions are read here if necessary
 * @pattern: a name or a glob
 * @say: called with a warning for each function that matches a glob but is left out, because another ftrace
 *	user redirects it
 * @err: set to the reason if the named function cannot be probed, or if no function that matches the glob can
 *	be
 *
 * Returns 0 or -1.
 */
int probe_globs_add(struct probe_globs *extra, struct kernel *kernel, const char *pattern,
		    void (*say)(const char *text), struct err *err);
void probe_globs_free(struct probe_globs *extra);

/**
 * point_is_free - check that no other ftrace user redirects the calls of a function of the built-in table
 * @kernel: the running kernel
 * @point: probe point of the function
 * @say: called with the reason if the function must not be probed
 *
 * The module checks the arguments of the function.
 */
bool point_is_free(const struct kernel *kernel, const struct record_skb_point *point,
		   void (*say)(const char *text));

/**
 * probe_points_add_table - pass the probe points of the built-in table to the module
 * @session: from session_open()
 * @follow: true if tasks are followed; this needs additional probe points
 * @resets: true if the filter selects packets by their TCP flags: a call that closes a socket may send a
 * reset
 * @kernel: the running kernel; functions that cannot be probed on it are left out
 * @names: the names of the probed functions are added to this list
 * @lacks_points: set to true if a function is left out on which verdicts depend
 * @say: called with a warning for each function that is left out, so that the user knows which packets the
 *	trace can lack
 * @err: set to the reason if no probe point could be added
 *
 * Returns 0 or -1.
 */
int probe_points_add_table(int session, bool follow, bool resets, const struct kernel *kernel,
			   struct strings *names, bool *lacks_points, void (*say)(const char *text),
			   struct err *err);

/* Pass the probe points of -g to the module. All of them must be accepted. Returns 0 or -1. */
int probe_points_add_extra(int session, const struct probe_globs *extra, struct strings *names,
			   struct err *err);

/*
 * Print the table of probe points and mark the functions that this kernel lacks. @functions are the kernel's
 * functions, or NULL if they cannot be read.
 */
void list_points_table(FILE *out, const struct functions *functions);

void list_points_extra(FILE *out, const struct probe_globs *extra);

/* Print the functions that "-g @pattern" would probe. Returns 0, or -1 with @err if no function matches. */
int list_points_glob(FILE *out, const struct kernel *kernel, const char *pattern, struct err *err);

#endif
