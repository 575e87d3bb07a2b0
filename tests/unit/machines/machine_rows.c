// SPDX-License-Identifier: GPL-2.0
/* machine_rows.c - make a trace with the same rows in the formats of different machines */
#include <sys/socket.h>

#include "machine_rows.h"

enum { OPEN, NESTED };

const struct canned_machine machines[NR_MACHINES] = {
	{ .long_size = 8 },
	{ .long_size = 8, .big_endian = true },
	{ .long_size = 4 },
	{ .long_size = 4, .big_endian = true },
};

const char *const machine_names[NR_MACHINES] = {
	"64 bits",
	"64 bits, big endian",
	"32 bits",
	"32 bits, big endian",
};

static const struct canned_flow tcp = {
	.family = AF_INET,
	.proto = 6,
	.ethertype = 0x800,
	.saddr = "10.9.0.1",
	.sport = 40312,
	.daddr = "10.9.0.2",
	.dport = 9000,
};

static const struct canned_flow udp = {
	.family = AF_INET6,
	.proto = 17,
	.ethertype = 0x86dd,
	.saddr = "fd09::1",
	.sport = 53,
	.daddr = "fd09::2",
	.dport = 9000,
};

static const struct canned_flow echo = {
	.family = AF_INET,
	.proto = 1,
	.ethertype = 0x800,
	.saddr = "10.9.0.1",
	.daddr = "10.9.0.2",
	.icmp_type = 8,
	.icmp_id = 770,
};

struct canned_trace *some_packets(const struct canned_machine *machine)
{
	struct canned_trace *t = canned_new(machine);

	packet(t, 258, OPEN, IP_RCV, &tcp);
	enter(t, 0, GATE);
	enter(t, 1, IP_RCV);
	packet(t, 258, NESTED, TCP_RCV, &tcp);
	enter(t, 2, TCP_RCV);
	packet(t, 66051, NESTED, IP_OUTPUT, &udp);
	enter(t, 3, IP_OUTPUT);
	leaf(t, 4, KFREE);
	t->copy = 1;
	copied(t, 66051, 0, 0, KFREE);
	ends(t, 66051);
	t->copy = 0;
	drop(t, 66051, 5, IP_OUTPUT);
	leave(t, 3, IP_OUTPUT);
	leave(t, 2, TCP_RCV);
	leave(t, 1, IP_RCV);
	returns(t, 258, IP_RCV, -1);
	leave(t, 0, GATE);
	t->cpu = 1;
	t->pid = 101;
	packet(t, 259, OPEN, SENDMSG, &echo);
	enter(t, 0, GATE);
	leaf(t, 1, SENDMSG);
	leave(t, 0, GATE);
	return t;
}
