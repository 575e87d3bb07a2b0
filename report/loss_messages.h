/* SPDX-License-Identifier: GPL-2.0 */
/* loss_messages.h - print which entries a recording lacks, and which packet stopped the ring */
#ifndef _RECORD_SKB_LOSS_MESSAGES_H
#define _RECORD_SKB_LOSS_MESSAGES_H

#include <stdbool.h>

#include "model/packets.h"
#include "report_options.h"

/*
 * Print the packet that stopped the ring. This is the packet that the user looks for, because the ring waited
 * for it.
 */
void ring_end_print(const struct ring_end *end, const struct options *options);

/*
 * Print which rows and calls are missing in the part of the file that was read.
 *
 * Return: true if rows or calls are missing.
 */
bool losses_print(const struct packets *packets, const struct reader *reader);

#endif
