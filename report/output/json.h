/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_JSON_H
#define _RECORD_SKB_JSON_H

#include "model/packets.h"

/*
 * This output for packets prints a JSON object for each packet and each loss. Pass the struct packets ** as
 * its data argument.
 */
extern const struct output json_output;

#endif
