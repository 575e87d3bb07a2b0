/* SPDX-License-Identifier: GPL-2.0 */
/* --dry-run: what a recording would be made of. */
#ifndef _RECORD_SKB_DRY_RUN_H
#define _RECORD_SKB_DRY_RUN_H

#include <stdio.h>

#include "plan.h"

/* Functions of the kernel are looked up already, if the user may. */
void dry_run_print(FILE *out, const struct plan *plan);

#endif
