/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_INNER_H
#define RECORD_SKB_INNER_H

#include <linux/types.h>

const u8 *inner_packet(const u8 *at, const u8 *end);

#endif
