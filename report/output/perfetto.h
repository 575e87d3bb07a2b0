/* SPDX-License-Identifier: GPL-2.0 */
/* perfetto.h - write the recording as a timeline for Perfetto and other viewers */
#ifndef _RECORD_SKB_PERFETTO_H
#define _RECORD_SKB_PERFETTO_H

#include <stdio.h>

#include "model/explanations.h"
#include "model/packets.h"
#include "model/selected_numbers.h"
#include "model/stages.h"

struct perfetto;

/**
 * perfetto_new - begin the timeline
 * @file: receives the timeline
 * @selected: the selected packets
 * @stages: stages of the packets
 * @explanations: the causes of drops
 * @packets: address of a pointer to the packets; the pointer must be set before the first event
 *
 * Return: the timeline; NULL if there is not enough memory.
 */
struct perfetto *perfetto_new(FILE *file, const struct selected_numbers *selected,
			      struct stages *stages, struct explanations *explanations,
			      struct packets **packets);
/*
 * Complete the timeline. @ring_end is the event that ended the ring, if the recording is a ring.
 * @has_beginning is true if the recording contains its beginning.
 */
void perfetto_end(struct perfetto *perfetto, const struct ring_end *ring_end, bool has_beginning);
void perfetto_free(struct perfetto *perfetto);

/*
 * This observer writes the functions. Pass it to reader_add_observer() after the observer of the stages, with
 * the struct perfetto as data.
 */
extern const struct observer perfetto_observer;
/* This output gets the packets, and writes their spans. Its argument @data is a struct perfetto. */
extern const struct output perfetto_output;

#endif
