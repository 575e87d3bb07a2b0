/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FIRST_H
#define RECORD_SKB_FIRST_H

#include <linux/types.h>

bool first_is_taken(void);
void first_exit(void);

#endif
