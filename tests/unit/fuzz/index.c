// SPDX-License-Identifier: LGPL-2.1
/* index.c - fuzz KernelShark's plugin: rows noted CPU by CPU, then asked for from the last to the first */
#include <stdlib.h>

#include "kshark/index.h"
#include "kshark/packets.h"
#include "fuzzed_rows.h"

/* The plugin looks at an entry's address only. */
static const struct kshark_entry *entry_of(const struct canned_row *row)
{
	return (const struct kshark_entry *)row;
}

static void note_all(struct index *index, const struct canned_trace *trace)
{
	for (int cpu = 0; cpu < 4; cpu++) {
		for (int i = 0; i < trace->nr; i++) {
			if (trace->rows[i].cpu == cpu)
				index_note(index, &trace->rows[i].record,
					   entry_of(&trace->rows[i]));
		}
	}
}

static size_t ask_all(struct index *index, const struct canned_trace *trace)
{
	const struct packets *packets;
	size_t labels = 0;

	for (int i = trace->nr - 1; i >= 0; i--)
		labels += !!index_label(index, trace->rows[i].cpu, trace->rows[i].record.offset);
	packets = index_packets(index);
	for (uint32_t number = 0; packets && number < 8; number++)
		packets_find(packets, number);
	return labels;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct canned_trace *trace = rows_make(data, size);
	struct tep_handle *tep;
	struct index *index;
	size_t labels;

	if (!trace)
		return 0;
	tep = rows_tep(data, trace);
	canned_own_data(trace);
	index = index_new(tep);
	if (!index)
		abort();
	note_all(index, trace);
	labels = ask_all(index, trace);
	/* As often as it is loaded, the same. */
	note_all(index, trace);
	if (ask_all(index, trace) != labels)
		abort();
	index_free(index);
	canned_free_data(trace);
	canned_free(trace);
	return 0;
}
