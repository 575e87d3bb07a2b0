/* SPDX-License-Identifier: GPL-2.0 */
/* machine_rows.h - the same rows, as each machine writes them */
#ifndef _MACHINES_ROWS_H
#define _MACHINES_ROWS_H

#include "canned.h"

#define NR_MACHINES 4

/* The first is what we are built for. */
extern const struct canned_machine machines[NR_MACHINES];
extern const char *const machine_names[NR_MACHINES];

/* Three packets, one of them in another's graph and dropped; for canned_free(). */
struct canned_trace *some_packets(const struct canned_machine *machine);

#endif /* _MACHINES_ROWS_H */
