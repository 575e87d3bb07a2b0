// SPDX-License-Identifier: GPL-2.0
/*
 * test-no-match-hints.c - test the hints about packets that did not match. The test makes its own network
 * namespace, so it knows all packets there.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "filter/no_match_hints.h"

/* Enter a new network namespace, because other programs send packets in the machine's namespace. */
static int own_network(void **state)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd, err;

	(void)state;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) && unshare(CLONE_NEWNET)) {
		puts("1..0 # SKIP cannot make a namespace");
		exit(0);
	}
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	err = ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
	return err;
}

static int receiver(unsigned short port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	const int fd = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static int sender(unsigned short port, int packets)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	const int fd = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	for (int i = 0; i < packets; i++)
		assert_int_equal(send(fd, "x", 1, 0), 1);
	return fd;
}

/*
 * Send @packets packets to @port, with a filter that matches only @wanted. Return: the hints, which the
 * caller must free.
 */
static char *said(unsigned short port, int packets, struct options *wanted)
{
	struct no_match_hints *hints = no_match_hints_begin();
	const int to = receiver(port), from = sender(port, packets);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	no_match_hints_end(hints);
	no_match_hints_print(out, hints, wanted);
	no_match_hints_free(hints);
	fclose(out);
	close(from);
	close(to);
	return text;
}

static void wants(struct options *o, const char *port, const char *host)
{
	*o = (struct options){};
	strings_add(&o->ports, port);
	if (host)
		strings_add(&o->hosts, host);
}

static void forget(struct options *o)
{
	strings_free(&o->ports);
	strings_free(&o->hosts);
}

static void says(const char *port, const char *host, const char *text)
{
	struct options o;
	char *all, *line;

	wants(&o, port, host);
	all = said(9001, 7, &o);
	line = strchr(all, '\n');
	assert_non_null(line);
	*line++ = '\0';
	/* Each packet is counted twice: when it is sent, and when it is received. */
	assert_string_equal(all, "in that time, IP had 14 packets here");
	assert_string_equal(line, text);
	free(all);
	forget(&o);
}

static void another_port(void **state)
{
	(void)state;
	says("9000", NULL, "no socket of this machine has that port now\n");
	says("9000", "127.0.0.1",
	     "no socket of this machine has that host and port now; with that host there is port 9001\n");
	says("9000", "127.0.0.2", "no socket of this machine has that host and port now\n");
}

static void that_port(void **state)
{
	(void)state;
	says("9001", NULL, "a socket with that port is here\n");
	says("9000-9005", "127.0.0.1", "a socket with that host and port is here\n");
}

static void what_cannot_be_told(void **state)
{
	(void)state;
	says("http", NULL, "");
	says("9001", "localhost", "");
	says("9001", "127.0.0.0/8", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_port),
		cmocka_unit_test(that_port),
		cmocka_unit_test(what_cannot_be_told),
	};

	return cmocka_run_group_tests(tests, own_network, NULL);
}
