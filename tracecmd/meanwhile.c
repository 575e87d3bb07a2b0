// SPDX-License-Identifier: GPL-2.0
/* What passed by while nothing matched: by the kernel's own counters and tables, at no cost to packets. */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "meanwhile.h"
#include "netns.h"
#include "strlist.h"

#define NET "/proc/thread-self/net/"

/**
 * struct place - a network namespace
 * @name: as netns_each() has it; owned
 * @ip: packets that IP has received and sent, IPv6 too
 * @received: packets that its devices have received, but for lo
 */
struct place {
	char *name;
	unsigned long long ip;
	unsigned long long received;
};

struct meanwhile {
	struct place *place;
	size_t n;
};

/* Calls @each with each line of @file. */
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
	struct place *place = data;
	unsigned long long in, out;

	if (sscanf(line, "Ip: %*u %*u %llu %*u %*u %*u %*u %*u %*u %llu", &in, &out) == 2)
		place->ip += in + out;
	else if (sscanf(line, "Ip6InReceives %llu", &in) == 1 ||
		 sscanf(line, "Ip6OutRequests %llu", &in) == 1)
		place->ip += in;
}

static void count_device(const char *line, void *data)
{
	struct place *place = data;
	unsigned long long packets;
	char name[32];

	if (sscanf(line, " %31[^:]: %*u %llu", name, &packets) == 2 && strcmp(name, "lo"))
		place->received += packets;
}

static struct place look(const char *name)
{
	struct place place = { .name = name ? xstrdup(name) : NULL };

	each_line(NET "snmp", count_ip, &place);
	each_line(NET "snmp6", count_ip, &place);
	each_line(NET "dev", count_device, &place);
	return place;
}

static void add(const char *name, void *data)
{
	struct meanwhile *m = data;

	m->place = xrealloc(m->place, (m->n + 1) * sizeof(*m->place));
	m->place[m->n++] = look(name);
}

struct meanwhile *meanwhile_begin(void)
{
	struct meanwhile *m = xrealloc(NULL, sizeof(*m));

	*m = (struct meanwhile){};
	netns_each(add, m);
	return m;
}

static bool is_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* One that is new has nothing before. */
static void subtract(struct place *now, const struct meanwhile *before)
{
	for (size_t i = 0; i < before->n; i++) {
		const struct place *was = &before->place[i];

		if (!is_name(was->name, now->name))
			continue;
		now->ip -= was->ip < now->ip ? was->ip : now->ip;
		now->received -= was->received < now->received ? was->received : now->received;
	}
}

static void empty(struct meanwhile *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->place[i].name);
	free(m->place);
}

void meanwhile_end(struct meanwhile *meanwhile)
{
	struct meanwhile now = {};

	if (!meanwhile)
		return;
	netns_each(add, &now);
	for (size_t i = 0; i < now.n; i++)
		subtract(&now.place[i], meanwhile);
	empty(meanwhile);
	*meanwhile = now;
}

void meanwhile_free(struct meanwhile *meanwhile)
{
	if (meanwhile)
		empty(meanwhile);
	free(meanwhile);
}

static void print_where(FILE *out, const char *name)
{
	if (!name)
		fputs(" here", out);
	else
		fprintf(out, " in network namespace %s%s",
			name[strspn(name, "0123456789")] ? "" : "of PID ", name);
}

static void print_passed(FILE *out, const struct place *place)
{
	if (place->ip || !place->name) {
		fprintf(out, "meanwhile IP had %llu packet%s", place->ip,
			place->ip == 1 ? "" : "s");
		print_where(out, place->name);
		fputc('\n', out);
	}
	if (place->received && !place->ip) {
		fprintf(out, "devices received %llu", place->received);
		print_where(out, place->name);
		fputs(", none of which IP saw: another protocol, XDP, a bridge or an offload had them\n",
		      out);
	}
}

#define MAX_NEAR 4

/**
 * struct near - sockets that have some of what is wanted
 * @wanted: what
 * @name: of the network namespace that is being looked at
 * @fits: as much as a socket can fit, one does, there: @fits_in
 * @port: what the sockets with the wanted address have instead of the port
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

/* As the tables of sockets have it, words in hexadecimal. An IPv4 address ends that of a socket for both. */
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

/* A line of /proc/net/tcp and its like. */
static void look_socket(const char *line, void *data)
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
		/* The lower one is the service's. */
		note_port(near, port < peer_port ? port : peer_port);
	}
}

static void look_sockets(const char *name, void *data)
{
	static const char *const tables[] = { NET "tcp", NET "tcp6", NET "udp", NET "udp6" };
	struct near *near = data;

	near->name = name;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		each_line(tables[i], look_socket, near);
}

/* Names of services and hosts, networks and the rest are not looked for: what cannot be told is not said. */
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
	netns_each(look_sockets, &near);
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

void meanwhile_print(FILE *out, const struct meanwhile *meanwhile, const struct options *wanted)
{
	if (!meanwhile)
		return;
	for (size_t i = 0; i < meanwhile->n; i++)
		print_passed(out, &meanwhile->place[i]);
	print_near(out, wanted);
}
