/* SPDX-License-Identifier: GPL-2.0 */
/* hosts_section.h - print the hosts of joined recordings, their clocks, and the times between them */
#ifndef _RECORD_SKB_HOSTS_SECTION_H
#define _RECORD_SKB_HOSTS_SECTION_H

#include <stdio.h>
#include <json.h>

#include "input/joined_reader.h"

/* Print one line for each host. Return: the number of lines; 0 if the reader reads a single file. */
unsigned int hosts_section_print(FILE *out, const struct reader *reader);
/* Print one line about the packets that are not joined, if there are any. */
void hosts_section_print_left(FILE *out, const struct reader *reader);
/*
 * Add the hosts, the joined packets and the times between hosts as the JSON members "hosts", "joined" and
 * "between_hosts".
 */
void hosts_section_add(struct json_object *to, const struct reader *reader);

#endif
