/* SPDX-License-Identifier: GPL-2.0 */
/* perfetto_flows.h - write the packets of the timeline as spans on the tracks of their flows */
#ifndef _RECORD_SKB_PERFETTO_FLOWS_H
#define _RECORD_SKB_PERFETTO_FLOWS_H

#include "model/explanations.h"
#include "model/packets.h"
#include "model/stages.h"
#include "output/trace_event.h"

/**
 * struct flow_spans - where spans are written, and the data about their packets
 * @events: receives the spans
 * @track: the track of all flows; viewers divide it into one track for each name of a flow
 * @stages: stages of the packets
 * @explanations: the causes of drops
 * @packets: struct packets, which knows the device names
 */
struct flow_spans {
	struct trace_events *events;
	struct track track;
	struct stages *stages;
	const struct explanations *explanations;
	struct packets **packets;
};

/* Write a packet that has ended, and its copies. */
void flow_spans_write(const struct flow_spans *spans, const struct packet *packet);

#endif
