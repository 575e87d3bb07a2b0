/* SPDX-License-Identifier: GPL-2.0 */
/* Returns of functions that others watch by what function_graph stands on. */
#ifndef _RECORD_SKB_WATCHED_RETURNS_H
#define _RECORD_SKB_WATCHED_RETURNS_H

/*
 * A function whose returns somebody watches by fprobe (BPF's kretprobe-multi, an fprobe event), on a
 * kernel where that stands on fgraph (6.14 on): he misses those inside a packet that we keep out of a
 * graph by a pause. To be freed; NULL if the kernel shows none. It does not show one where all his
 * functions have another user of ftrace.
 */
char *watched_return(void);

#endif
