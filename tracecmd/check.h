/* SPDX-License-Identifier: GPL-2.0 */
/* check.h - --check: print if a recording is possible here, and how to install or enable missing parts */
#ifndef _RECORD_SKB_CHECK_H
#define _RECORD_SKB_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "err.h"

/* Append a hint about --check to @err, the reason why a recording cannot start. Returns -1. */
int check_add_hint(struct err *err);

/*
 * Do all checks and print one line for each, without changing the system. Return true if a recording is
 * possible.
 */
bool check_print(FILE *out);

#endif
