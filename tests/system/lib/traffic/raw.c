// SPDX-License-Identifier: GPL-2.0
/* raw.c - packets that only a raw socket can send */
#include <netinet/tcp.h>
#include <netinet/udp.h>

#include "traffic.h"

int spoil(int argc, char **argv)
{
	union address a = address(argv[1], argv[2]);
	bool tcp = !strcmp(argv[0], "tcp");
	size_t size = argc > 3 ? atoi(argv[3]) : 0;
	/* All headers are correct, but the checksums are wrong. */
	struct udphdr udp = { .source = htons(9),
			      .dest = a.in.sin_port,
			      .len = htons(sizeof(udp) + size),
			      .check = htons(0x4711) };
	char datagram[BLOCK] = "";
	struct tcphdr syn = { .source = htons(9),
			      .dest = a.in.sin_port,
			      .seq = htonl(1),
			      .doff = 5,
			      .syn = 1,
			      .window = htons(1000),
			      .check = htons(0x4711) };
	int s = socket(AF_INET, SOCK_RAW, tcp ? IPPROTO_TCP : IPPROTO_UDP);

	if (size > sizeof(datagram) - sizeof(udp))
		size = sizeof(datagram) - sizeof(udp);
	memcpy(datagram, &udp, sizeof(udp));
	a.in.sin_port = 0;
	if (s < 0 || sendto(s, tcp ? (void *)&syn : datagram,
			    tcp ? sizeof(syn) : sizeof(udp) + size, 0, &a.sa, sizeof(a.in)) < 0)
		die(argv[0]);
	return 0;
}
