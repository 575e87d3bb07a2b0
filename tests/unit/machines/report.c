// SPDX-License-Identifier: GPL-2.0
/* report.c - test that report-skb prints the same text for traces of different machines. Prints TAP. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input_standin.h"
#include "machine_rows.h"

int report_main(int argc, char **argv);

/* Each output must contain this text. Otherwise two empty outputs would count as equal. */
static const struct {
	char *argv[3];
	const char *has;
} ways[] = {
	{ { "report-skb" }, "       1   #66051  dropped, 5: " },
	{ { "report-skb", "--list" },
	  "tcp 10.9.0.1:40312 > 10.9.0.2:9000             S.             0          0     60  eth0" },
	{ { "report-skb", "--packet", "258" }, "      5 ns |      ip_output(); /* #66051 */" },
	{ { "report-skb", "--flow" },
	  " 66051        0.000001  udp [fd09::1]:53 > [fd09::2]:9000 " },
	{ { "report-skb", "--json" },
	  "{\"type\":\"packet\",\"number\":66051,\"time_ns\":1060,\"last_ns\":1130,\"direction\":\"receive\","
	  "\"flow\":66051,\"ethertype\":34525,\"protocol\":17,\"source\":{\"address\":\"fd09::1\",\"port\":53},"
	  "\"destination\":{\"address\":\"fd09::2\",\"port\":9000},\"length\":60,"
	  "\"path\":[{\"device\":\"eth0\",\"netns\":4026531840}],\"path_text\":\"eth0\",\"stack_ns\":5,\"waiting_ns\":0,\"calls\":2,"
	  "\"slowest\":{\"function\":\"kfree\",\"self_ns\":5},"
	  "\"verdict\":{\"what\":\"dropped\",\"function\":\"ip_output\",\"reason\":\"5\"},\"copies\":0,\"complete\":true,\"version\":1}\n" },
	{ { "report-skb", "--folded" }, "ip_output;kfree 5\n" },
};

#define NR_WAYS (int)(sizeof(ways) / sizeof(ways[0]))

#define ROOM 8192

/*
 * Run a report with standard output in a file, and read the file into @text. Return: the exit status of the
 * report.
 */
static int report(const struct canned_machine *machine, int way, char text[ROOM])
{
	struct canned_trace *trace = some_packets(machine);
	char *argv[] = { ways[way].argv[0], ways[way].argv[1], ways[way].argv[2], NULL };
	struct tep_plugin_list *none;
	struct tep_handle *tep = canned_open(machine, false, &none);
	int out = dup(STDOUT_FILENO), argc = 0, ret;
	FILE *file = tmpfile();

	while (argv[argc])
		argc++;
	tep_set_cpus(tep, 2);
	input_standin_set(trace, tep);
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	optind = 0;
	ret = report_main(argc, argv);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	rewind(file);
	text[fread(text, 1, ROOM - 1, file)] = '\0';
	fclose(file);
	canned_close(tep, NULL);
	canned_free(trace);
	return ret;
}

int main(void)
{
	char first[ROOM], text[ROOM];
	int failed = 0, n = 0;

	for (int way = 0; way < NR_WAYS; way++) {
		for (int i = 0; i < NR_MACHINES; i++) {
			int ret = report(&machines[i], way, i ? text : first);
			bool ok = !ret &&
				  (i ? !strcmp(text, first) : !!strstr(first, ways[way].has));

			printf("%sok %d - report-skb%s%s, %s\n", ok ? "" : "not ", ++n,
			       ways[way].argv[1] ? " " : "",
			       ways[way].argv[1] ? ways[way].argv[1] : "", machine_names[i]);
			failed += !ok;
			if (!ok)
				fprintf(stderr, "exit status %d, output\n%s", ret,
					i ? text : first);
		}
	}
	printf("1..%d\n", n);
	return !!failed;
}
