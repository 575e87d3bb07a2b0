/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_LINES_H
#define _REPORT_SKB_LINES_H

#include "err.h"
#include "packets.h"
#include "screen.h"
#include "stations.h"

struct lines;

/**
 * lines_new - a line for each packet and each of its copies, on standard output
 * @columns: their names with commas; NULL for all but the gap, or on a terminal for as many as fit, and
 *	in colour
 * @screen: what standard output is
 * @packets: where the devices are from; it may be set only before the first packet comes
 * @stations: where the gaps are from
 * @err: which column there is not
 */
struct lines *lines_new(const char *columns, const struct screen *screen, struct packets **packets,
			const struct stations *stations, struct err *err);
void lines_free(struct lines *lines);

/* @data is the struct lines. */
extern const struct output lines_output;

#endif
