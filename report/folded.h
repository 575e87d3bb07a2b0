/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_FOLDED_H
#define _REPORT_SKB_FOLDED_H

#include "reader.h"

struct folded;

struct choice;

/* Of the packets in @choice, which stays in use. */
struct folded *folded_new(const struct choice *choice);
void folded_free(struct folded *folded);

/* For reader_add_sink(), with the struct folded as data. */
extern const struct sink folded_sink;

/* Print "outer;inner;innermost NANOSECONDS" for each stack that took any time of a packet. */
void folded_print(const struct folded *folded);

#endif
