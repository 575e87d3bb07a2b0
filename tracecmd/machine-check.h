/* SPDX-License-Identifier: GPL-2.0 */
/* --check: what this machine has and lacks for a recording, and what mends it. */
#ifndef _RECORD_SKB_MACHINE_CHECK_H
#define _RECORD_SKB_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "err.h"

/* Add to @err, which says why a recording cannot start, that --check shows all. Returns -1. */
int machine_check_hint(struct err *err);

/* Print it, a line for each. Changes nothing. Returns true if a recording is possible. */
bool machine_check_print(FILE *out);

#endif
