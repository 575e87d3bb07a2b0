/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of networking that --detail net leaves out. */
#ifndef _RECORD_SKB_SILENT_FUNCTIONS_H
#define _RECORD_SKB_SILENT_FUNCTIONS_H

#include <stdbool.h>

/*
 * They call nothing, are called at every packet, and their being called says nothing that the function
 * around them does not say: two fifths of the lines of a packet. None of them decides what becomes of it,
 * or waits.
 */
bool function_is_silent(const char *name);

#endif
