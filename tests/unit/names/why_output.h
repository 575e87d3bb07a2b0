/* SPDX-License-Identifier: GPL-2.0 */
/* why_output.h - the output of report-skb --why for packets that a test invents */
#ifndef _NAMES_WHY_OUTPUT_H
#define _NAMES_WHY_OUTPUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/packets.h"
#include "output/why.h"

/* Stand-ins for the functions of report/input/reader_rows.c. */
bool writes_len(const struct packet_seen *seen)
{
	(void)seen;
	return false;
}

uint32_t packet_len(const struct packet_seen *seen)
{
	return seen->facts.net_len;
}

const struct name *names_of(struct names *names, uint64_t address)
{
	(void)names;
	(void)address;
	return NULL;
}

const char *packet_dropped_line(const struct packet_dropped *packet, char line[SOURCE_LINE_LEN])
{
	(void)packet;
	(void)line;
	return NULL;
}

bool chosen_any(const struct chosen *chosen)
{
	(void)chosen;
	return false;
}

static struct packets *packets;
static struct why *why;
static struct explanations *explanations;
static struct resets *resets;
static FILE *real_stdout;
static char *printed;
static size_t nr_printed;

/* Begin to collect standard output in a new text. */
static void begin_printed(void)
{
	free(printed);
	real_stdout = stdout;
	stdout = open_memstream(&printed, &nr_printed);
}

static void end_printed(void)
{
	fclose(stdout);
	stdout = real_stdout;
}

/* Create the objects of --why, which will receive the events of the test. */
static void begin_why(void)
{
	static const struct chosen all;
	static const struct why_options options = { .chosen = &all };

	begin_printed();
	explanations = explanations_create(&packets);
	resets = resets_create();
	why = why_new(&options, explanations, resets, &packets);
	packets = packets_new(&why_output, why, NULL);
}

/* Return: the output of --why, valid until the next call of begin_why(). */
static const char *end_why(void)
{
	packets_end(packets);
	why_output.end(why);
	end_printed();
	packets_free(packets);
	why_free(why);
	explanations_free(explanations);
	resets_free(resets);
	return printed;
}

static int free_printed(void **state)
{
	(void)state;
	free(printed);
	return 0;
}

#endif
