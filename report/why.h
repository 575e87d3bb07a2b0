/* SPDX-License-Identifier: GPL-2.0 */
/* why.h - why each packet was dropped and each call refused, and the command that shows it */
#ifndef _REPORT_SKB_WHY_H
#define _REPORT_SKB_WHY_H

#include "selection.h"

struct why;

/**
 * why_new - say it on standard output
 * @number: of the only packet it is asked of; 0 for all that were dropped, and for calls
 * @chosen: which packets come; calls are of no packet: they are said only of a chosen flow, or of all
 * @packets: where the devices are from; it may be set only before the first packet comes
 */
struct why *why_new(uint32_t number, const struct chosen *chosen, struct packets **packets);
void why_free(struct why *why);
/* The trace's, before it is read. */
void why_set_names(struct why *why, struct names *names);

/* For reader_add_sink(), and for packets; the data of both is the struct why. */
extern const struct sink why_sink;
extern const struct output why_output;

/* Whether the packet that was asked of is in the recording, after all packets. */
bool why_found(const struct why *why);

#endif
