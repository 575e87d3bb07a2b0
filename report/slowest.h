/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_SLOWEST_H
#define _REPORT_SKB_SLOWEST_H

#include "gaps.h"

struct slowest;

/**
 * slowest_new - the packets that took longest, each with what made it slow
 * @n: how many
 * @stations: where packets were when
 * @packets: where the devices are from; it may be set only before the first packet comes
 */
struct slowest *slowest_new(uint32_t n, struct stations *stations, struct packets **packets);
void slowest_free(struct slowest *slowest);

/* For reader_add_sink(), with the struct slowest as data: how long functions take. */
extern const struct sink slowest_sink;

/* @data is the struct slowest. */
extern const struct output slowest_output;

#endif
