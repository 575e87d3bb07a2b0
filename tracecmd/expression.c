// SPDX-License-Identifier: GPL-2.0
/* The filter in tcpdump's language: shorthand such as -p and the user's own expression together. */
#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "numbers.h"

#define MAX_PORT 65535

static void add_once(struct strings *terms, const char *term)
{
	for (size_t i = 0; i < terms->n; i++)
		if (!strcmp(terms->v[i], term))
			return;
	strings_add(terms, term);
}

/* A service may have different ports in different protocols; all of them are meant. */
static bool add_service(struct strings *terms, const char *way, const char *name)
{
	static const char *const protocols[] = { "tcp", "udp", "sctp" };
	bool found = false;
	char *term;

	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		const struct servent *service = getservbyname(name, protocols[i]);

		if (!service)
			continue;
		term = xasprintf("%sport %u", way, ntohs(service->s_port));
		add_once(terms, term);
		free(term);
		found = true;
	}
	return found;
}

static int add_port(struct strings *terms, const char *way, const char *word, struct err *err)
{
	const char *p = word;
	unsigned long lo, hi;

	if (!isdigit((unsigned char)*p)) {
		if (add_service(terms, way, word))
			return 0;
		return err_set(err, "'%s' is neither a port nor a service that /etc/services knows",
			       word);
	}
	if (!number_read_at(&p, MAX_PORT, &lo) || !lo)
		return err_set(err, "'%s' is not a port: they go from 1 to %d", word, MAX_PORT);
	if (!*p) {
		strings_addf(terms, "%sport %lu", way, lo);
		return 0;
	}
	if (*p++ != '-' || !number_read_at(&p, MAX_PORT, &hi) || *p)
		return err_set(err, "'%s' is not a port: give PORT or LO-HI, from 1 to %d", word,
			       MAX_PORT);
	if (hi < lo)
		return err_set(err, "no port is in the range %s: its ends are the wrong way round",
			       word);
	strings_addf(terms, "%sportrange %lu-%lu", way, lo, hi);
	return 0;
}

static int add_ports(struct strings *terms, const char *way, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	int ret = 0;

	while (!ret && (word = strsep(&rest, ",")))
		ret = *word ? add_port(terms, way, word, err) :
			      err_set(err, "a port is missing in '%s'", list);
	free(copy);
	return ret;
}

static bool is_address(const char *s)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, s, address) == 1 || inet_pton(AF_INET6, s, address) == 1;
}

/* ADDRESS/BITS; libpcap complains about bits set behind the prefix, and rightly so. */
static int add_prefix(struct strings *terms, const char *way, const char *word, struct err *err)
{
	char *address = xstrdup(word);
	char *slash = strchr(address, '/');
	const char *p = slash + 1;
	unsigned long bits;
	int ret = 0;

	*slash = '\0';
	if (!is_address(address) || !number_read_at(&p, strchr(address, ':') ? 128 : 32, &bits) ||
	    *p)
		ret = err_set(err, "'%s' is not ADDRESS/BITS", word);
	else
		strings_addf(terms, "%snet %s", way, word);
	free(address);
	return ret;
}

/* Names are looked up here, so that none is taken for a word of libpcap's language. */
static int add_name(struct strings *terms, const char *way, const char *name, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	char address[NI_MAXHOST];
	struct addrinfo *found;
	char *term;
	int ret;

	ret = getaddrinfo(name, NULL, &hints, &found);
	if (ret)
		return err_set(err, "host '%s': %s", name, gai_strerror(ret));
	for (struct addrinfo *one = found; one; one = one->ai_next) {
		if (getnameinfo(one->ai_addr, one->ai_addrlen, address, sizeof(address), NULL, 0,
				NI_NUMERICHOST))
			continue;
		address[strcspn(address, "%")] = '\0'; /* packets have no scope */
		term = xasprintf("%shost %s", way, address);
		add_once(terms, term);
		free(term);
	}
	freeaddrinfo(found);
	return 0;
}

static int add_host(struct strings *terms, const char *way, const char *word, struct err *err)
{
	if (strchr(word, '/'))
		return add_prefix(terms, way, word, err);
	if (!is_address(word))
		return add_name(terms, way, word, err);
	strings_addf(terms, "%shost %s", way, word);
	return 0;
}

static int add_proto(struct strings *terms, const char *way, const char *word, struct err *err)
{
	const struct protoent *protocol;
	unsigned long number;

	(void)way;
	if (!strcmp(word, "arp") || !strcmp(word, "rarp")) {
		strings_add(terms, word);
		return 0;
	}
	/* The same protocol to anyone who says it, but for its number. */
	if (!strcmp(word, "icmp")) {
		strings_add(terms, "icmp");
		strings_add(terms, "icmp6");
		return 0;
	}
	if (!strcmp(word, "icmp6") || !strcmp(word, "icmpv6")) {
		strings_add(terms, "icmp6");
		return 0;
	}
	if (isdigit((unsigned char)*word)) {
		if (!number_read(word, 255, &number))
			return err_set(err, "'%s' is not a protocol: they go from 0 to 255", word);
	} else {
		protocol = getprotobyname(word);
		if (!protocol)
			return err_set(err, "'%s' is not a protocol that /etc/protocols knows",
				       word);
		number = protocol->p_proto;
	}
	strings_addf(terms, "proto %lu", number);
	return 0;
}

typedef int (*add_fn)(struct strings *terms, const char *way, const char *word, struct err *err);

/* One kind of shorthand: its values as alternatives, as one more part of the whole. */
static int add_part(struct strings *parts, const struct strings *values, add_fn add,
		    const char *way, struct err *err)
{
	struct strings terms = {};
	char *all = NULL, *longer;
	int ret = 0;

	for (size_t i = 0; !ret && i < values->n; i++)
		ret = add(&terms, way, values->v[i], err);
	for (size_t i = 0; !ret && i < terms.n; i++) {
		longer = all ? xasprintf("%s or %s", all, terms.v[i]) : xstrdup(terms.v[i]);
		free(all);
		all = longer;
	}
	if (!ret && all)
		strings_addf(parts, terms.n > 1 ? "(%s)" : "%s", all);
	free(all);
	strings_free(&terms);
	return ret;
}

int expression_make(const struct options *o, char **expression, struct err *err)
{
	struct strings parts = {};
	char *all = NULL, *longer;
	int ret;

	*expression = NULL;
	ret = add_part(&parts, &o->protos, add_proto, "", err) ||
	      add_part(&parts, &o->hosts, add_host, "", err) ||
	      add_part(&parts, &o->srcs, add_host, "src ", err) ||
	      add_part(&parts, &o->dsts, add_host, "dst ", err) ||
	      add_part(&parts, &o->ports, add_ports, "", err) ||
	      add_part(&parts, &o->sports, add_ports, "src ", err) ||
	      add_part(&parts, &o->dports, add_ports, "dst ", err);
	if (ret) {
		strings_free(&parts);
		return -1;
	}
	if (o->expression)
		strings_addf(&parts, parts.n ? "(%s)" : "%s", o->expression);
	for (size_t i = 0; i < parts.n; i++) {
		longer = all ? xasprintf("%s and %s", all, parts.v[i]) : xstrdup(parts.v[i]);
		free(all);
		all = longer;
	}
	strings_free(&parts);
	*expression = all;
	return 0;
}
