/* SPDX-License-Identifier: GPL-2.0 */
/* machine_rows.h - make a trace with the same rows in the formats of different machines */
#ifndef _MACHINES_ROWS_H
#define _MACHINES_ROWS_H

#include "canned.h"

#define NR_MACHINES 4

/* Properties of the machines. The first one is like the machine that runs this test. */
extern const struct canned_machine machines[NR_MACHINES];
extern const char *const machine_names[NR_MACHINES];

/*
 * Create a trace with three packets. One of them is handled inside the graph of another packet, and is
 * dropped. The caller must free the trace with canned_free().
 */
struct canned_trace *some_packets(const struct canned_machine *machine);

#endif /* _MACHINES_ROWS_H */
