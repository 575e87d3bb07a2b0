// SPDX-License-Identifier: GPL-2.0
/* no_match_hints.c - if no packet matched, print packet counters and sockets that help to find the reason */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "filter/no_match_hints.h"
#include "filter/netns.h"

#define NET "/proc/thread-self/net/"

/**
 * struct netns_counters - packet counters of a network namespace
 * @name: name from netns_each(), NULL for the namespace of this process; owned
 * @ip: number of packets that IPv4 and IPv6 have received or sent
 * @received: number of packets that the devices of the namespace, except lo, have received
 */
struct netns_counters {
	char *name;
	unsigned long long ip;
	unsigned long long received;
};

struct no_match_hints {
	struct netns_counters *place;
	size_t n;
};

/* Call @each for each line of @file. */
static void each_line(const char *file, void (*each)(const char *line, void *data), void *data)
{
	FILE *in = fopen(file, "re");
	char *line = NULL;
	size_t room = 0;

	while (in && getline(&line, &room, in) >= 0)
		each(line, data);
	if (in)
		fclose(in);
	free(line);
}

static void count_ip(const char *line, void *data)
{
	struct netns_counters *place = data;
	unsigned long long in, out;

	if (sscanf(line, "Ip: %*u %*u %llu %*u %*u %*u %*u %*u %*u %llu", &in, &out) == 2)
		place->ip += in + out;
	else if (sscanf(line, "Ip6InReceives %llu", &in) == 1 ||
		 sscanf(line, "Ip6OutRequests %llu", &in) == 1)
		place->ip += in;
}

static void count_device(const char *line, void *data)
{
	struct netns_counters *place = data;
	unsigned long long packets;
	char name[32];

	if (sscanf(line, " %31[^:]: %*u %llu", name, &packets) == 2 && strcmp(name, "lo"))
		place->received += packets;
}

static struct netns_counters read_counters(const char *name)
{
	struct netns_counters place = { .name = name ? xstrdup(name) : NULL };

	each_line(NET "snmp", count_ip, &place);
	each_line(NET "snmp6", count_ip, &place);
	each_line(NET "dev", count_device, &place);
	return place;
}

static void add_netns(const char *name, void *data)
{
	struct no_match_hints *m = data;

	m->place = xrealloc(m->place, (m->n + 1) * sizeof(*m->place));
	m->place[m->n++] = read_counters(name);
}

struct no_match_hints *no_match_hints_begin(void)
{
	struct no_match_hints *m = xrealloc(NULL, sizeof(*m));

	*m = (struct no_match_hints){};
	netns_each(add_netns, m);
	return m;
}

static bool is_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/*
 * Subtract the values that the counters of the same namespace had when the recording began. If the namespace
 * was created later, subtract nothing.
 */
static void subtract_counters(struct netns_counters *now, const struct no_match_hints *before)
{
	for (size_t i = 0; i < before->n; i++) {
		const struct netns_counters *was = &before->place[i];

		if (!is_name(was->name, now->name))
			continue;
		now->ip -= was->ip < now->ip ? was->ip : now->ip;
		now->received -= was->received < now->received ? was->received : now->received;
	}
}

static void free_counters(struct no_match_hints *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->place[i].name);
	free(m->place);
}

void no_match_hints_end(struct no_match_hints *hints)
{
	struct no_match_hints now = {};

	if (!hints)
		return;
	netns_each(add_netns, &now);
	for (size_t i = 0; i < now.n; i++)
		subtract_counters(&now.place[i], hints);
	free_counters(hints);
	*hints = now;
}

void no_match_hints_free(struct no_match_hints *hints)
{
	if (hints)
		free_counters(hints);
	free(hints);
}

static void print_where(FILE *out, const char *name)
{
	char *shown = name ? safe_text(name) : NULL;

	if (!name)
		fputs(" here", out);
	else
		fprintf(out, " in network namespace %s%s",
			name[strspn(name, "0123456789")] ? "" : "of PID ", shown);
	free(shown);
}

static void print_passed(FILE *out, const struct netns_counters *place)
{
	if (place->ip || !place->name) {
		fprintf(out, "in that time, IP had %llu packet%s", place->ip,
			place->ip == 1 ? "" : "s");
		print_where(out, place->name);
		fputc('\n', out);
	}
	if (place->received && !place->ip) {
		fprintf(out, "devices received %llu", place->received);
		print_where(out, place->name);
		fputs(", but IP saw none of them: another protocol, XDP, a bridge or an offload had them\n",
		      out);
	}
}

#define MAX_NEAR 4

/**
 * struct near - state of the search for sockets that are similar to the filter
 * @wanted: the user's options, with the filter
 * @name: name of the network namespace that is being searched
 * @fits: true if a socket with the port and address of the filter was found
 * @fits_in: name of the namespace in which this socket was found
 * @port: other ports, of sockets that have the address of the filter
 * @nr_ports: length of @port
 */
struct near {
	const struct options *wanted;
	const char *name;
	bool fits;
	char *fits_in;
	unsigned int port[MAX_NEAR];
	size_t nr_ports;
};

static bool is_in(const char *range, unsigned int port)
{
	unsigned int lo, hi;
	const int n = sscanf(range, "%u-%u", &lo, &hi);

	return n == 2 ? lo <= port && port <= hi : n == 1 && lo == port;
}

static bool any_port(const struct strings *ranges, unsigned int a, unsigned int b)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (is_in(ranges->v[i], a) || is_in(ranges->v[i], b))
			return true;
	return false;
}

/*
 * Return true if @digits is the address @wanted. @digits comes from a table of sockets, such as
 * /proc/net/tcp, which has addresses as hexadecimal words. If a socket of IPv6 has an IPv4 address, the last
 * word is this address.
 */
static bool is_address(const char *wanted, const char *digits)
{
	struct in6_addr address;
	char text[33];
	size_t skip;

	if (inet_pton(AF_INET, wanted, &address) == 1)
		snprintf(text, sizeof(text), "%08X", address.s6_addr32[0]);
	else if (inet_pton(AF_INET6, wanted, &address) == 1)
		snprintf(text, sizeof(text), "%08X%08X%08X%08X", address.s6_addr32[0],
			 address.s6_addr32[1], address.s6_addr32[2], address.s6_addr32[3]);
	else
		return false;
	skip = strlen(digits) < strlen(text) ? 0 : strlen(digits) - strlen(text);
	return !strcmp(digits + skip, text);
}

static bool any_address(const struct strings *wanted, const char *digits)
{
	for (size_t i = 0; i < wanted->n; i++)
		if (is_address(wanted->v[i], digits))
			return true;
	return false;
}

static void note_port(struct near *near, unsigned int port)
{
	for (size_t i = 0; i < near->nr_ports; i++)
		if (near->port[i] == port)
			return;
	if (near->nr_ports < MAX_NEAR)
		near->port[near->nr_ports++] = port;
}

/* Compare the socket in a line of /proc/net/tcp, or of a similar table, with the filter. */
static void check_socket(const char *line, void *data)
{
	struct near *near = data;
	const struct options *o = near->wanted;
	char local[33], peer[33];
	unsigned int port, peer_port;
	bool port_fits, address_fits;

	if (sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x", local, &port, peer, &peer_port) !=
	    4)
		return;
	port_fits = any_port(&o->ports, port, peer_port) || any_port(&o->sports, port, peer_port) ||
		    any_port(&o->dports, port, peer_port);
	address_fits = !o->hosts.n || any_address(&o->hosts, local) || any_address(&o->hosts, peer);
	if (port_fits && address_fits && !near->fits) {
		near->fits = true;
		near->fits_in = near->name ? xstrdup(near->name) : NULL;
	} else if (o->hosts.n && address_fits && peer_port) {
		/* Suggest the lower of the two ports, which is probably the port of the service. */
		note_port(near, port < peer_port ? port : peer_port);
	}
}

static void check_sockets(const char *name, void *data)
{
	static const char *const tables[] = { NET "tcp", NET "tcp6", NET "udp", NET "udp6" };
	struct near *near = data;

	near->name = name;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		each_line(tables[i], check_socket, near);
}

/*
 * Return true if the filter consists of ports, with or without addresses of --host. Names, networks and other
 * conditions cannot be compared with sockets here.
 */
static bool can_tell(const struct options *o)
{
	const struct strings *ports[] = { &o->ports, &o->sports, &o->dports };
	unsigned char address[sizeof(struct in6_addr)];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++)
		for (size_t k = 0; k < ports[i]->n; k++, n++)
			if (ports[i]->v[k][strspn(ports[i]->v[k], "0123456789-")])
				return false;
	for (size_t i = 0; i < o->hosts.n; i++)
		if (inet_pton(AF_INET, o->hosts.v[i], address) != 1 &&
		    inet_pton(AF_INET6, o->hosts.v[i], address) != 1)
			return false;
	return n && !o->srcs.n && !o->dsts.n && !o->protos.n && !o->expression;
}

static void print_near(FILE *out, const struct options *wanted)
{
	const char *what = wanted->hosts.n ? "that host and port" : "that port";
	struct near near = { .wanted = wanted };

	if (!can_tell(wanted))
		return;
	netns_each(check_sockets, &near);
	if (near.fits) {
		fprintf(out, "a socket with %s is", what);
		print_where(out, near.fits_in);
	} else {
		fprintf(out, "no socket of this machine has %s now", what);
		for (size_t i = 0; i < near.nr_ports; i++)
			fprintf(out, "%s %u", i ? "," : "; with that host there is port",
				near.port[i]);
	}
	fputc('\n', out);
	free(near.fits_in);
}

void no_match_hints_print(FILE *out, const struct no_match_hints *hints,
			  const struct options *wanted)
{
	if (!hints)
		return;
	for (size_t i = 0; i < hints->n; i++)
		print_passed(out, &hints->place[i]);
	print_near(out, wanted);
}
