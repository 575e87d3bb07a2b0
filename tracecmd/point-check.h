/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_POINT_CHECK_H
#define _RECORD_SKB_POINT_CHECK_H

#include <stdbool.h>

#include "kernel.h"
#include "record_skb.h"

/**
 * point_check - see that a function of the table can be what the table says on this kernel
 * @kernel: what is known of it; without BTF the table is trusted
 * @point: the function
 * @say: is told why not
 *
 * Returns false if it has to be left out: somebody has redirected it, or its arguments are others
 * than the table says. The module would take what it finds there for a packet.
 */
bool point_check(const struct kernel *kernel, const struct record_skb_point *point,
		 void (*say)(const char *text));

#endif
