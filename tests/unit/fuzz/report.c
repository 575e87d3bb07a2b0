// SPDX-License-Identifier: GPL-2.0
/* report.c - fuzz trace-cmd report-skb. It reads no files here, because libtracecmd would read them. */
#include <getopt.h>

#include "input_standin.h"
#include "fuzzed_rows.h"

int report_main(int argc, char **argv);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const ways[][5] = {
		{ "report-skb" },
		{ "report-skb", "--list" },
		{ "report-skb", "--packet", "1" },
		{ "report-skb", "--flow" },
		{ "report-skb", "--json" },
		{ "report-skb", "--folded" },
		{ "report-skb", "--pcap", "/dev/null" },
		{ "report-skb", "--strict" },
		{ "report-skb", "--latency" },
		{ "report-skb", "--latency", "--per-server" },
		{ "report-skb", "--servers", "--json" },
		{ "report-skb", "--why" },
		{ "report-skb", "--summary", "--json" },
		{ "report-skb", "--slowest", "2" },
		{ "report-skb", "--dropped", "tcp or udp" },
	};
	const unsigned int nr_ways = sizeof(ways) / sizeof(ways[0]);
	struct canned_trace *trace = rows_make(data, size);
	char *argv[4] = { 0 };
	int argc = 0;

	if (!trace)
		return 0;
	while (ways[data[1] % nr_ways][argc]) {
		argv[argc] = ways[data[1] % nr_ways][argc];
		argc++;
	}
	input_standin_set(trace, rows_tep(data, trace));
	optind = 0;
	report_main(argc, argv);
	canned_free(trace);
	return 0;
}
