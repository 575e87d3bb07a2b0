/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_JSON_H
#define _REPORT_SKB_JSON_H

#include "packets.h"

/*
 * An object a line for each packet and each loss, on standard output. @data is the struct packets **.
 */
extern const struct output json_output;

#endif
