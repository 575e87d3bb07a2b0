/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_LARGE_READS_H
#define RECORD_SKB_LARGE_READS_H

#include <record_skb.h>

int large_reads(const struct record_skb_large_reads *want);

#endif
