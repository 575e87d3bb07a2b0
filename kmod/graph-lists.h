/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GRAPH_LISTS_H
#define RECORD_SKB_GRAPH_LISTS_H

int graph_lists_init(void);
void graph_lists_exit(void);

#endif
