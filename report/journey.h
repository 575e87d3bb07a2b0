/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_JOURNEY_H
#define _REPORT_SKB_JOURNEY_H

#include "reader.h"

struct journey;

/* The whole way of packet @number, printed as it is read. */
struct journey *journey_new(uint32_t number);
void journey_free(struct journey *journey);

/* For reader_add_sink(), with the struct journey as data. */
extern const struct sink journey_sink;

/* Whether there was such a packet. */
bool journey_end(struct journey *journey);

#endif
