// SPDX-License-Identifier: LGPL-2.1
/* index.c - fuzz KernelShark's plugin: add rows CPU by CPU, then query them in reverse order */
#include <stdlib.h>

#include "fuzzed_rows.h"
#include "stream_standin.h"

static void query_flow_plots(struct index *index, const struct stream_standin *standin)
{
	struct view view = { .kind = VIEW_FLOW, .bin = 1 };
	uint32_t flows[4];
	size_t n, spans;

	if (standin->n) {
		view.from = standin->by_time[0]->ts;
		view.to = standin->by_time[standin->n - 1]->ts;
	}
	for (n = index_flows(index, flows, 4); n > 0; n--) {
		view.id = flows[n - 1];
		free(index_flow_text(index, view.id));
		free(index_spans(index, &view, &spans));
	}
}

static size_t ask_all(struct index *index, const struct stream_standin *standin)
{
	const struct kshark_entry *first, *last;
	const struct packet_list *packets;
	size_t labels = 0;

	for (size_t i = standin->n; i > 0; i--)
		labels += standin->by_time[i - 1]->event_id >= 0 &&
			  index_label(index, standin->by_time[i - 1]);
	packets = index_packets(index);
	for (uint32_t number = 0; packets && number < 8; number++) {
		packet_list_find(packets, number);
		index_packet_rows(index, number, &first, &last);
		free(index_packet_text(index, number));
	}
	query_flow_plots(index, standin);
	return labels;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct canned_trace *trace = rows_make(data, size);
	static struct stream_standin standin;
	struct tep_handle *tep;
	struct index *index;
	size_t labels;

	if (!trace)
		return 0;
	tep = rows_tep(data, trace);
	canned_own_data(trace);
	stream_standin_open(&standin, trace, tep);
	index = index_new(&standin.stream, tep);
	if (!index)
		abort();
	stream_standin_load(&standin, index);
	labels = ask_all(index, &standin);
	/* Load the trace a second time. The result must be the same. */
	stream_standin_load(&standin, index);
	if (ask_all(index, &standin) != labels)
		abort();
	index_free(index);
	stream_standin_close(&standin);
	canned_free_data(trace);
	canned_free(trace);
	return 0;
}
