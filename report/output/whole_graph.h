/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_WHOLE_GRAPH_H
#define _RECORD_SKB_WHOLE_GRAPH_H

#include <stdio.h>

#include "input/reader.h"

struct whole_graph;

/**
 * whole_graph_new - prepare to print the graphs in which the graphs of a packet are nested, for --whole
 * @number: number of the packet
 * @out: receives each graph when it is complete
 *
 * Return: the object; NULL if there is not enough memory.
 */
struct whole_graph *whole_graph_new(uint32_t number, FILE *out);
void whole_graph_free(struct whole_graph *whole);

/*
 * This observer collects the graphs. Pass it to reader_add_observer(), with the struct whole_graph as data.
 */
extern const struct observer whole_graph_observer;

/*
 * Print the graphs that are still open at the end of the recording. Return: true if the recording contains
 * the packet.
 */
bool whole_graph_end(struct whole_graph *whole);

#endif
