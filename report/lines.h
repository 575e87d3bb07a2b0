/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_LINES_H
#define _REPORT_SKB_LINES_H

#include "packets.h"

/* A line for each packet, on standard output. @data is the struct packets **. */
extern const struct output lines_output;

#endif
