// SPDX-License-Identifier: GPL-2.0
/*
 * filter_text.c - make the text of a filter in tcpdump's language. Its parts are the options for ports, hosts
 * and protocols (shorthand, such as -p), and the user's expression.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter_text.h"
#include "text.h"
#include "record_skb.h"

#define MAX_PORT 65535

/**
 * struct part - the values of one shorthand option, such as -p; a packet has to match one of them
 * @way: text before each value in tcpdump's language: "src ", "dst ", or "" if both ends are compared
 * @texts: the values in tcpdump's language
 * @terms: the values as terms, which the module compares without a BPF program
 * @nr_terms: length of @terms
 * @has_others: true if some of the values are not in @terms, so that @terms cannot be used
 */
struct part {
	const char *way;
	struct strings texts;
	struct record_skb_term terms[RECORD_SKB_MAX_TERMS];
	size_t nr_terms;
	bool has_others;
};

static struct record_skb_term *new_term(struct part *part, unsigned int kind)
{
	struct record_skb_term *term;

	if (part->nr_terms == RECORD_SKB_MAX_TERMS) {
		part->has_others = true;
		return NULL;
	}
	term = &part->terms[part->nr_terms++];
	*term = (struct record_skb_term){ .kind = kind };
	if (*part->way != 'd')
		term->ends |= RECORD_SKB_END_SRC;
	if (*part->way != 's')
		term->ends |= RECORD_SKB_END_DST;
	return term;
}

static void add_numbers(struct part *part, unsigned int kind, unsigned long lo, unsigned long hi)
{
	struct record_skb_term *term = new_term(part, kind);

	if (term) {
		term->lo = lo;
		term->hi = hi;
	}
}

/* Add an IP protocol as a term for the module. @family: the address family; 0 for both IPv4 and IPv6. */
static void add_protocol(struct part *part, unsigned long number, unsigned int family)
{
	struct record_skb_term *term = new_term(part, RECORD_SKB_TERM_PROTO);

	if (!term)
		return;
	term->lo = number;
	term->hi = number;
	term->family = family;
}

/* Add an address as a term for the module. @bits: how many bits of the address a packet has to match. */
static void add_address(struct part *part, const char *address, unsigned long bits)
{
	const bool v6 = strchr(address, ':');
	struct record_skb_term *term =
		new_term(part, v6 ? RECORD_SKB_TERM_IPV6 : RECORD_SKB_TERM_IPV4);

	if (!term)
		return;
	inet_pton(v6 ? AF_INET6 : AF_INET, address, term->address);
	for (size_t i = 0; i < 4; i++) {
		const unsigned long before = 32 * i, here = bits > before ? bits - before : 0;

		if (here)
			term->mask[i] = htonl(here < 32 ? ~0U << (32 - here) : ~0U);
		term->address[i] &= term->mask[i];
	}
}

/* Add a text to the list @texts unless the list has it already. Return true if it was added. */
static bool add_once(struct strings *texts, const char *text)
{
	for (size_t i = 0; i < texts->n; i++)
		if (!strcmp(texts->v[i], text))
			return false;
	strings_add(texts, text);
	return true;
}

/*
 * Add the ports of the service @name, which can have different ports for TCP, UDP and SCTP. Return true if
 * such a service exists.
 */
static bool add_service(struct part *part, const char *name)
{
	static const char *const protocols[] = { "tcp", "udp", "sctp" };
	bool found = false;
	char *term;

	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		const struct servent *service = getservbyname(name, protocols[i]);

		if (!service)
			continue;
		term = xasprintf("%sport %u", part->way, ntohs(service->s_port));
		if (add_once(&part->texts, term))
			add_numbers(part, RECORD_SKB_TERM_PORT, ntohs(service->s_port),
				    ntohs(service->s_port));
		free(term);
		found = true;
	}
	return found;
}

static int add_port(struct part *part, const char *word, struct err *err)
{
	const char *p = word;
	unsigned long lo, hi;

	if (!isdigit((unsigned char)*p)) {
		if (add_service(part, word))
			return 0;
		return err_set(err, "'%s' is neither a port nor a service in /etc/services%s", word,
			       strncmp(word, "function", strlen("function")) ?
				       "" :
				       "; here, -p selects ports, and the tracer is always "
				       "function_graph");
	}
	if (!number_read_at(&p, MAX_PORT, &lo) || !lo)
		return err_set(err, "'%s' is not a port: ports go from 1 to %d", word, MAX_PORT);
	if (!*p) {
		strings_addf(&part->texts, "%sport %lu", part->way, lo);
		add_numbers(part, RECORD_SKB_TERM_PORT, lo, lo);
		return 0;
	}
	if (*p++ != '-' || !number_read_at(&p, MAX_PORT, &hi) || *p)
		return err_set(err, "'%s' is not a port: give PORT or LO-HI, from 1 to %d", word,
			       MAX_PORT);
	if (hi < lo)
		return err_set(err, "no port is in the range %s: swap its ends", word);
	strings_addf(&part->texts, "%sportrange %lu-%lu", part->way, lo, hi);
	add_numbers(part, RECORD_SKB_TERM_PORT, lo, hi);
	return 0;
}

static int add_ports(struct part *part, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	int ret = 0;

	while (!ret && (word = strsep(&rest, ",")))
		ret = *word ? add_port(part, word, err) :
			      err_set(err, "a port is missing in '%s'", list);
	free(copy);
	return ret;
}

static bool is_address(const char *s)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, s, address) == 1 || inet_pton(AF_INET6, s, address) == 1;
}

/*
 * Add a network, which is given as ADDRESS/BITS. Bits that are set after the prefix are not found here;
 * libpcap reports them later. Returns 0 or -1.
 */
static int add_prefix(struct part *part, const char *word, struct err *err)
{
	char *address = xstrdup(word);
	char *slash = strchr(address, '/');
	const char *p = slash + 1;
	unsigned long bits;
	int ret = 0;

	*slash = '\0';
	if (!is_address(address) || !number_read_at(&p, strchr(address, ':') ? 128 : 32, &bits) ||
	    *p)
		ret = err_set(err, "'%s' is not ADDRESS/BITS, as in 192.0.2.0/24", word);
	else {
		strings_addf(&part->texts, "%snet %s", part->way, word);
		add_address(part, address, bits);
	}
	free(address);
	return ret;
}

/*
 * Add the addresses of the host @name. Look up the name here and not in libpcap, which might take the name
 * for a keyword. Returns 0 or -1.
 */
static int add_name(struct part *part, const char *name, struct err *err)
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
		address[strcspn(address, "%")] = '\0'; /* the scope ID is not in a packet */
		term = xasprintf("%shost %s", part->way, address);
		if (add_once(&part->texts, term))
			add_address(part, address, 128);
		free(term);
	}
	freeaddrinfo(found);
	return 0;
}

static int add_host(struct part *part, const char *word, struct err *err)
{
	if (strchr(word, '/'))
		return add_prefix(part, word, err);
	if (!is_address(word))
		return add_name(part, word, err);
	strings_addf(&part->texts, "%shost %s", part->way, word);
	add_address(part, word, 128);
	return 0;
}

static int add_proto(struct part *part, const char *word, struct err *err)
{
	const struct protoent *protocol;
	unsigned long number;

	/* Add no term for ARP and RARP: terms of the module are only for packets with an IP header. */
	if (!strcmp(word, "arp") || !strcmp(word, "rarp")) {
		strings_add(&part->texts, word);
		return 0;
	}
	/* "icmp" also selects ICMPv6, which has another protocol number. */
	if (!strcmp(word, "icmp")) {
		strings_add(&part->texts, "icmp");
		strings_add(&part->texts, "icmp6");
		add_protocol(part, IPPROTO_ICMP, AF_INET);
		add_protocol(part, IPPROTO_ICMPV6, AF_INET6);
		return 0;
	}
	if (!strcmp(word, "icmp6") || !strcmp(word, "icmpv6")) {
		strings_add(&part->texts, "icmp6");
		add_protocol(part, IPPROTO_ICMPV6, AF_INET6);
		return 0;
	}
	if (isdigit((unsigned char)*word)) {
		if (!number_read(word, 255, &number))
			return err_set(err, "'%s' is not a protocol: protocols go from 0 to 255",
				       word);
	} else {
		protocol = getprotobyname(word);
		if (!protocol)
			return err_set(err,
				       "'%s' is not a protocol in /etc/protocols: give its number",
				       word);
		number = protocol->p_proto;
	}
	strings_addf(&part->texts, "proto %lu", number);
	add_protocol(part, number, 0);
	return 0;
}

typedef int (*add_fn)(struct part *part, const char *word, struct err *err);

/**
 * struct whole - the whole filter, while it is made from the options and the expression
 * @all: all parts of the filter in tcpdump's language
 * @programs: those parts on which BPF programs decide, because they are not in @terms
 * @terms: those parts on which the module decides without a BPF program
 */
struct whole {
	struct strings all;
	struct strings programs;
	struct terms *terms;
};

/*
 * Add the values of one option to the module's terms. Return false if the module cannot compare all of the
 * values, or if there would be too many terms.
 */
static bool add_terms(struct terms *terms, const struct part *part)
{
	if (!part->nr_terms || part->has_others || part->nr_terms > RECORD_SKB_MAX_TERMS - terms->n)
		return false;
	for (size_t i = 0; i < part->nr_terms; i++) {
		terms->v[terms->n] = part->terms[i];
		terms->v[terms->n++].more = i + 1 < part->nr_terms;
	}
	return true;
}

/* Return a new string with all @texts, joined by @word between blanks; NULL if @texts is empty. */
static char *join_texts(const struct strings *texts, const char *word)
{
	char *all = NULL, *longer;

	for (size_t i = 0; i < texts->n; i++) {
		longer = all ? xasprintf("%s %s %s", all, word, texts->v[i]) : xstrdup(texts->v[i]);
		free(all);
		all = longer;
	}
	return all;
}

/*
 * Add the values of one shorthand option as a part of the filter. A packet has to match one of the values.
 * Returns 0 or -1.
 */
static int add_part(struct whole *whole, const struct strings *values, add_fn add, const char *way,
		    struct err *err)
{
	struct part part = { .way = way };
	char *text = NULL;
	int ret = 0;

	for (size_t i = 0; !ret && i < values->n; i++)
		ret = add(&part, values->v[i], err);
	if (!ret)
		text = join_texts(&part.texts, "or");
	if (text) {
		strings_addf(&whole->all, part.texts.n > 1 ? "(%s)" : "%s", text);
		if (!add_terms(whole->terms, &part))
			strings_add(&whole->programs, whole->all.v[whole->all.n - 1]);
	}
	free(text);
	strings_free(&part.texts);
	return ret;
}

/*
 * An expression that selects tunnel packets. The module finds the packet inside the tunnel packet, and tests
 * this inner packet with the program of --inner.
 */
#define TUNNELS                                                                          \
	"(udp dst port 4789 or udp dst port 8472 or udp dst port 6081 or ip proto 4 or " \
	"ip proto 41 or ip proto 47 or ip6 proto 4 or ip6 proto 41 or ip6 proto 47)"

int expression_make(const struct options *o, char **expression, char **program, struct terms *terms,
		    struct err *err)
{
	struct whole whole = { .terms = terms };
	int ret;

	*expression = NULL;
	*program = NULL;
	terms->n = 0;
	ret = add_part(&whole, &o->protos, add_proto, "", err) ||
	      add_part(&whole, &o->hosts, add_host, "", err) ||
	      add_part(&whole, &o->srcs, add_host, "src ", err) ||
	      add_part(&whole, &o->dsts, add_host, "dst ", err) ||
	      add_part(&whole, &o->ports, add_ports, "", err) ||
	      add_part(&whole, &o->sports, add_ports, "src ", err) ||
	      add_part(&whole, &o->dports, add_ports, "dst ", err);
	if (!ret && o->expression) {
		strings_addf(&whole.all, whole.all.n || o->inner ? "(%s)" : "%s", o->expression);
		strings_addf(&whole.programs, whole.programs.n || o->inner ? "(%s)" : "%s",
			     o->expression);
	}
	if (!ret && o->inner) {
		strings_add(&whole.all, TUNNELS);
		strings_add(&whole.programs, TUNNELS);
	}
	if (!ret) {
		*expression = join_texts(&whole.all, "and");
		*program = join_texts(&whole.programs, "and");
	}
	strings_free(&whole.all);
	strings_free(&whole.programs);
	return ret ? -1 : 0;
}
