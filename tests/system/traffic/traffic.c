// SPDX-License-Identifier: GPL-2.0
/*
 * traffic.c - what the system tests send and receive; see usage_text
 *
 * One process for many connections, because starting one takes an emulated guest a tenth of a second. Only
 * "read" sleeps in a call on a socket: a task asleep in a gate has an open graph when the recording ends.
 */
#include "traffic.h"

static const char *const usage_text =
	"usage: traffic echo PORT..                  TCP echo server on all these ports\n"
	"       traffic talk ADDRESS ROUNDS PORT..   in each round, a connection to each port: a line there and back\n"
	"       traffic chat ADDRESS PORT..          the same for ever, with pauses\n"
	"       traffic answer PORT MS               TCP server for one after the other: what it reads it sends back so much\n"
	"                                            later; prints how many us it waited\n"
	"       traffic knock ADDRESS PORT           begin a connection with one packet, and leave\n"
	"       traffic stream ADDRESS PORT [BYTES]  to an echo server and back until SIGTERM, or as fast as it\n"
	"                                            goes; each byte is checked; prints how many\n"
	"       traffic datagrams ADDRESS PORT       UDP to a reflector and back until SIGTERM; each byte is checked;\n"
	"                                            prints how many\n"
	"       traffic reflect PORT                 UDP echo server\n"
	"       traffic read ADDRESS PORT            connect, and sleep in recv() until something comes\n"
	"       traffic number ADDRESS PORT COUNT [SIZE]  send so many numbered UDP packets\n"
	"       traffic ask ADDRESS PORT COUNT       send so many datagrams to a reflector, and ask all the time, without waiting,\n"
	"                                            whether there is an answer\n"
	"       traffic burst ADDRESS COUNT PORT..   the same to all these ports in turn, as fast as it goes\n"
	"       traffic crowd ADDRESS PORT COUNT [FIRST]  one UDP packet each from so many ports\n"
	"       traffic collect PORT                 receive these; prints how they came\n"
	"       traffic hoard PORT BYTES             a UDP socket with a small buffer that nobody reads\n"
	"       traffic refuse PORT                  a UDP socket whose filter lets nothing in\n"
	"       traffic listen PORT ROOM             a TCP socket that accepts nobody\n"
	"       traffic spoil tcp|udp ADDRESS PORT [BYTES]  send a packet whose checksum is wrong, with so much UDP data\n"
	"traffic -6 ...: what listens does so for IPv6.\n"
	"traffic -c ...: streams have pauses ten times as long.\n";

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
