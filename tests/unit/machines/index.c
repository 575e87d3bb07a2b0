// SPDX-License-Identifier: LGPL-2.1
/*
 * index.c - test that KernelShark's plugin shows the same text for traces of all kinds of machines. Prints
 * TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_rows.h"
#include "stream_standin.h"

#define ROOM 8192

/* Write the text of each row to @text, and for each packet the columns of the packet list. */
static void say(const struct canned_machine *machine, char text[ROOM])
{
	struct canned_trace *trace = some_packets(machine);
	struct tep_plugin_list *none;
	struct tep_handle *tep = canned_open(machine, false, &none);
	static struct stream_standin standin;
	struct index *index;
	const struct packet_list *packets;
	FILE *out = fmemopen(text, ROOM, "w");

	canned_own_data(trace);
	stream_standin_open(&standin, trace, tep);
	index = index_new(&standin.stream, tep);
	stream_standin_load(&standin, index);
	for (int i = 0; i < trace->nr; i++) {
		const char *label = index_label(index, &standin.rows[i]);

		fprintf(out, "%d %s\n", i, label ? label : "-");
	}
	packets = index_packets(index);
	for (size_t i = 0; i < packets->n; i++)
		fprintf(out, "%u flow %u dir %d %s\n", packets->v[i].number, packets->v[i].flow,
			packets->v[i].dir, packets->v[i].text);
	fclose(out);
	index_free(index);
	stream_standin_close(&standin);
	canned_free_data(trace);
	canned_close(tep, NULL);
	canned_free(trace);
}

int main(void)
{
	/* Rows 2 and 6 are the function entries of ip_rcv and ip_output. */
	static const char *const has[] = {
		"\n2 #258 tcp 10.9.0.1:40312 > 10.9.0.2:9000\n",
		"\n6 #66051 udp [fd09::1]:53 > [fd09::2]:9000\n",
		"\n259 flow 259 dir 2 #259 icmp 10.9.0.1 > 10.9.0.2 echo request id 770\n",
	};
	char first[ROOM], text[ROOM];
	int failed = 0;

	for (int i = 0; i < NR_MACHINES; i++) {
		bool ok = true;

		say(&machines[i], i ? text : first);
		if (i)
			ok = !strcmp(text, first);
		for (size_t n = 0; !i && n < sizeof(has) / sizeof(has[0]); n++)
			ok &= !!strstr(first, has[n]);
		printf("%sok %d - KernelShark's rows and packets, %s\n", ok ? "" : "not ", i + 1,
		       machine_names[i]);
		failed += !ok;
		if (!ok)
			fputs(i ? text : first, stderr);
	}
	printf("1..%d\n", NR_MACHINES);
	return !!failed;
}
