// SPDX-License-Identifier: LGPL-2.1
/* index.c - fuzz KernelShark's plugin: rows noted CPU by CPU, then asked for from the last to the first */
#include <stdlib.h>

#include "fuzzed_rows.h"
#include "stream_standin.h"

static size_t ask_all(struct index *index, const struct stream_standin *standin)
{
	const struct kshark_entry *first, *last;
	const struct packets *packets;
	size_t labels = 0;

	for (size_t i = standin->n; i > 0; i--)
		labels += standin->by_time[i - 1]->event_id >= 0 &&
			  index_label(index, standin->by_time[i - 1]);
	packets = index_packets(index);
	for (uint32_t number = 0; packets && number < 8; number++) {
		packets_find(packets, number);
		index_packet_rows(index, number, &first, &last);
		free(index_packet_text(index, number));
	}
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
	/* As often as it is loaded, the same. */
	stream_standin_load(&standin, index);
	if (ask_all(index, &standin) != labels)
		abort();
	index_free(index);
	stream_standin_close(&standin);
	canned_free_data(trace);
	canned_free(trace);
	return 0;
}
