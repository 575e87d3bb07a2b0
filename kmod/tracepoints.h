/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRACEPOINTS_H
#define RECORD_SKB_TRACEPOINTS_H

struct tracepoint;

struct tracepoint *tracepoint_named(const char *name);

#endif
