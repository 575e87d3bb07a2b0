/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_JSON_H
#define _RECORD_SKB_JSON_H

#include "model/packets.h"

/*
 * This output gets the packets, and prints a JSON object for each packet and each loss. Its argument @data is
 * a struct packets **.
 */
extern const struct output json_output;

#endif
