/* SPDX-License-Identifier: GPL-2.0 */
/* --help, from the table of options. */
#ifndef _RECORD_SKB_USAGE_H
#define _RECORD_SKB_USAGE_H

#include <stdio.h>

void usage_print(FILE *out);

#endif
