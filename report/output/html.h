/* SPDX-License-Identifier: GPL-2.0 */
/* html.h - write one HTML page about the selected packets, for a bug report; the page needs no other files */
#ifndef _RECORD_SKB_HTML_H
#define _RECORD_SKB_HTML_H

#include <stdio.h>

#include "input/reader.h"
#include "model/explanations.h"
#include "model/packets.h"
#include "model/selected_numbers.h"
#include "output/packet_graphs.h"

/**
 * struct html_about - facts about the recording, for the head of the page
 * @recording: name of the recording
 * @chosen: the selection
 * @summary: the text of the summary; a list of packets may follow after an empty line. NULL if it is not
 * known
 * @has_beginning: the recording contains its beginning
 * @ring_end: the event that ended the ring, if the recording is a ring
 */
struct html_about {
	const char *recording;
	const struct chosen *chosen;
	const char *summary;
	bool has_beginning;
	const struct ring_end *ring_end;
};

struct html;

/**
 * html_new - begin a page
 * @selected: the selected packets
 * @explanations: the causes of drops
 * @packets: address of a pointer to the packets; the pointer must be set before the first event
 *
 * Return: the page; NULL if there is not enough memory.
 */
struct html *html_new(const struct selected_numbers *selected, struct explanations *explanations,
		      struct packets **packets);
/* Write the page to @file. */
void html_write(struct html *html, FILE *file, const struct html_about *about);
void html_free(struct html *html);

/*
 * Return: the graphs of the packets. The caller must pass the events of the recording to
 * packet_graphs_observer with this object.
 */
struct packet_graphs *html_graphs(struct html *html);
/* This output gets the packets. Its argument @data is a struct html. */
extern const struct output html_output;

#endif
