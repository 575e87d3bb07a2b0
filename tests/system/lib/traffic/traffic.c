// SPDX-License-Identifier: GPL-2.0
/*
 * traffic.c - the traffic of the system tests; see usage_text
 *
 * One process makes many connections, because starting a process takes a tenth of a second in an emulated
 * guest. No mode except "read" sleeps in a socket call. Otherwise the graph of the call would still be open
 * at the end of the recording.
 */
#include "traffic.h"

static const char *const usage_text =
	"usage: traffic echo PORT..                  TCP echo server on all these ports\n"
	"       traffic talk ADDRESS ROUNDS PORT..   in each round, a connection to each port: a line to the server and back\n"
	"       traffic chat ADDRESS PORT..          the same forever, with pauses\n"
	"       traffic answer PORT MS               TCP server, one client after the other: sends the data back MS milliseconds\n"
	"                                            later; prints how many us it waited\n"
	"       traffic knock ADDRESS PORT           send the first packet of a connection, and exit\n"
	"       traffic stream ADDRESS PORT [BYTES]  to an echo server and back until SIGTERM, or BYTES as fast as\n"
	"                                            possible; checks each byte; prints how many\n"
	"       traffic datagrams ADDRESS PORT       UDP to a reflector and back until SIGTERM; checks each byte;\n"
	"                                            prints how many\n"
	"       traffic reflect PORT                 UDP echo server\n"
	"       traffic read ADDRESS PORT            connect, and sleep in recv() until data arrives\n"
	"       traffic number ADDRESS PORT COUNT [SIZE]  send COUNT numbered UDP packets\n"
	"       traffic ask ADDRESS PORT COUNT       send COUNT datagrams to a reflector, and poll for the answers\n"
	"                                            without waiting\n"
	"       traffic burst ADDRESS COUNT PORT..   send COUNT packets to each port in turn, as fast as possible\n"
	"       traffic crowd ADDRESS PORT COUNT [FIRST]  send one UDP packet from each of COUNT ports\n"
	"       traffic collect PORT                 receive numbered packets; prints how they arrived\n"
	"       traffic hoard PORT BYTES             a UDP socket with a small buffer that is never read\n"
	"       traffic refuse PORT                  a UDP socket with a filter that refuses each packet\n"
	"       traffic listen PORT ROOM             a TCP socket that accepts no connection\n"
	"       traffic spoil tcp|udp ADDRESS PORT [BYTES]  send a packet with a wrong checksum, and BYTES of UDP data\n"
	"traffic -6 ...: servers use IPv6.\n"
	"traffic -c ...: streams make pauses that are ten times as long.\n";

static const struct {
	const char *name;
	int args;
	int (*run)(int argc, char **argv);
} modes[] = {
	{ "echo", 1, echo },	       { "talk", 3, talk },	  { "chat", 2, chat },
	{ "knock", 2, knock },	       { "stream", 2, stream },	  { "read", 2, read_asleep },
	{ "datagrams", 2, datagrams }, { "reflect", 1, reflect }, { "number", 3, number },
	{ "burst", 3, burst },	       { "crowd", 3, crowd },	  { "collect", 1, collect },
	{ "hoard", 2, hoard },	       { "refuse", 1, refuse },	  { "listen", 2, listen_only },
	{ "spoil", 3, spoil },	       { "answer", 2, answer },	  { "ask", 3, ask },
};

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "+6c")) != -1;) {
		if (c == '6')
			family = AF_INET6;
		else if (c == 'c')
			calm = 10;
		else
			return 2;
	}
	argc -= optind - 1, argv += optind - 1;
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name) && argc - 2 >= modes[i].args)
			return modes[i].run(argc - 2, argv + 2);
	fputs(usage_text, stderr);
	return 2;
}
