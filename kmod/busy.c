// SPDX-License-Identifier: GPL-2.0
/* busy.c - apart from all else: it is written at each match, and read at each call of a point */
#include <linux/cache.h>

#include "busy.h"

union busy record_skb_busy ____cacheline_aligned_in_smp;
