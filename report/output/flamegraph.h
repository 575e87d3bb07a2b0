/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FLAMEGRAPH_H
#define _RECORD_SKB_FLAMEGRAPH_H

#include "model/packets.h"

struct flamegraph;

/* Begin to add up call stacks. @has_selection is true if only some packets are selected. */
struct flamegraph *flamegraph_new(bool has_selection);
void flamegraph_free(struct flamegraph *flamegraph);

/*
 * This output gets the packets, and adds the times of those that are selected. Its argument @data is a struct
 * flamegraph.
 */
extern const struct output flamegraph_output;

/* This observer collects the times. Pass it to reader_add_observer(), with the struct flamegraph as data. */
extern const struct observer flamegraph_observer;

/* Print "outer;inner;innermost NANOSECONDS" for each stack in which packets spent time. */
void flamegraph_print(const struct flamegraph *flamegraph);

#endif
