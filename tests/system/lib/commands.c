// SPDX-License-Identifier: GPL-2.0
/*
 * commands.c - print each command that report-skb can suggest for a drop or a failed call
 *
 * Usage: commands FAMILY PROTOCOL DEVICE, as in "commands 4 6 vb". The commands are for a flow from 10.9.0.1
 * to 10.9.0.2, or from fd09::1 to fd09::2. Each line begins with "global" if the command shows a setting of
 * the whole machine, and otherwise with "local". The commands about rules name the chain "c" of the table "t".
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../report/model/causes.c"
#include "../../../report/model/call_causes.c"
#include "../../../report/model/refused_calls.c"
#include "model/cause_command.h"

static struct flow flow = { .sport = 40000, .dport = 9000 };
static struct about about = { .flow = &flow, .receives = true };

static void print_command(const struct cause *cause)
{
	char command[COMMAND_LEN];

	if (!cause->shows)
		return;
	if (!cause_command(command, cause, &about)) {
		fprintf(stderr, "cannot fill in: %s\n", cause->shows);
		exit(1);
	}
	printf("%s %s\n", cause->global ? "global" : "local", command);
}

/* Print the commands about rules of nftables and about BPF programs, which are not in the tables of causes. */
static void print_built_commands(void)
{
	char command[COMMAND_LEN];

	for (unsigned int family = 0; family <= 10; family++) {
		nft_command(command, family, "t", "c");
		printf("local %s\n", command);
		nft_command(command, family, "t", "no name for nft");
		printf("local %s\n", command);
	}
	program_command(command, 1, false);
	printf("global %s\n", command);
	program_command(command, 0, true);
	printf("global %s\n", command);
}

#define PRINT_ALL(table)                                                    \
	do {                                                                \
		for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) \
			print_command(&table[i]);                           \
	} while (0)

int main(int argc, char **argv)
{
	int family;

	if (argc != 4)
		return 2;
	family = atoi(argv[1]) == 6 ? AF_INET6 : AF_INET;
	flow.family = family == AF_INET6 ? FLOW_INET6 : FLOW_INET;
	flow.proto = atoi(argv[2]);
	about.device = argv[3];
	inet_pton(family, family == AF_INET6 ? "fd09::1" : "10.9.0.1", flow.saddr);
	inet_pton(family, family == AF_INET6 ? "fd09::2" : "10.9.0.2", flow.daddr);
	PRINT_ALL(drops);
	PRINT_ALL(hooks);
	PRINT_ALL(refusals);
	PRINT_ALL(freed);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		print_command(&rows[i].cause);
	print_built_commands();
	return 0;
}
