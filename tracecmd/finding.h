/* SPDX-License-Identifier: GPL-2.0 */
/* finding.h - print the most important finding of a recording */
#ifndef _RECORD_SKB_FINDING_H
#define _RECORD_SKB_FINDING_H

#include <stdbool.h>
#include <stdio.h>

/**
 * finding_print - print the most important finding of a recording, and the command that shows more
 * @out: where to print
 * @file: the recording
 * @has_packets: packets matched. Otherwise nothing is printed if there is no finding
 *
 * trace-cmd-report-skb reads the recording. If this takes longer than a second, only the command is printed.
 */
void finding_print(FILE *out, const char *file, bool has_packets);

#endif
