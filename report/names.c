// SPDX-License-Identifier: GPL-2.0
/* names.c - functions of the traced kernel: asked for at each row, so looked up once */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "record_skb.h"

static const struct {
	const char *name;
	enum meaning meaning;
} meanings[] = {
	{ "sock_def_readable", MEANS_DELIVERED },
	{ "tcp_data_ready", MEANS_DELIVERED },
	{ "tcp_queue_rcv", MEANS_DELIVERED },
	{ "sock_queue_rcv_skb", MEANS_DELIVERED },
	{ "sock_queue_rcv_skb_reason", MEANS_DELIVERED },
	{ "__sock_queue_rcv_skb", MEANS_DELIVERED },
	{ "__udp_enqueue_schedule_skb", MEANS_DELIVERED },
	{ "sctp_ulpq_tail_data", MEANS_DELIVERED },
	{ "tcp_v4_rcv", MEANS_CONSUMED },
	{ "tcp_v6_rcv", MEANS_CONSUMED },
	{ "udp_rcv", MEANS_CONSUMED },
	{ "udpv6_rcv", MEANS_CONSUMED },
	{ "icmp_rcv", MEANS_CONSUMED },
	{ "icmpv6_rcv", MEANS_CONSUMED },
	{ "igmp_rcv", MEANS_CONSUMED },
	{ "arp_rcv", MEANS_CONSUMED },
	{ "sctp_rcv", MEANS_CONSUMED },
	{ "dccp_v4_rcv", MEANS_CONSUMED },
	{ "dccp_v6_rcv", MEANS_CONSUMED },
	{ "ip_forward", MEANS_FORWARDED },
	{ "ip6_forward", MEANS_FORWARDED },
	{ "br_forward", MEANS_FORWARDED },
	{ "dev_hard_start_xmit", MEANS_SENT },
};

/* TCP discards so also what ends a connection is done with, ICMPv6 (up to 6.3) each message. */
static const char *const free_all[] = {
	"tcp_v4_rcv", "tcp_v6_rcv", "tcp_rcv_state_process", "icmpv6_rcv",
};

struct names {
	struct tep_handle *tep;
	struct name **slots;	/* open addressing by address */
	size_t nr_slots, nr;
};

struct names *names_new(struct tep_handle *tep)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->tep = tep;
	names->nr_slots = 1024;
	names->slots = calloc(names->nr_slots, sizeof(*names->slots));
	if (!names->slots) {
		free(names);
		return NULL;
	}
	return names;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->nr_slots; i++)
		free(names->slots[i]);
	free(names->slots);
	free(names);
}

void names_set_tep(struct names *names, struct tep_handle *tep)
{
	names->tep = tep;
}

static struct name **find_slot(struct name **slots, size_t nr, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ull >> 32) & (nr - 1);

	while (slots[i] && slots[i]->func != address)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static int grow(struct names *names)
{
	size_t nr = names->nr_slots * 2;
	struct name **slots = calloc(nr, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < names->nr_slots; i++) {
		if (names->slots[i])
			*find_slot(slots, nr, names->slots[i]->func) = names->slots[i];
	}
	free(names->slots);
	names->slots = slots;
	names->nr_slots = nr;
	return 0;
}

static struct name *add_name(struct names *names, uint64_t address)
{
	const char *known = tep_find_function(names->tep, address);
	struct name *name = calloc(1, sizeof(*name) + (known ? strlen(known) + 1 : 20));
	char *text;

	if (!name)
		return NULL;
	text = (char *)(name + 1);
	if (known)
		strcpy(text, known);
	else
		snprintf(text, 20, "%llx", (unsigned long long)address);
	name->func = address;
	name->text = text;
	name->known = known;
	name->gate = !strcmp(text, RECORD_SKB_GATE);
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		if (!strcmp(text, meanings[i].name))
			name->meaning = meanings[i].meaning;
	}
	for (size_t i = 0; i < sizeof(free_all) / sizeof(*free_all); i++)
		name->frees_all |= !strcmp(text, free_all[i]);
	*find_slot(names->slots, names->nr_slots, address) = name;
	names->nr++;
	return name;
}

const struct name *names_of(struct names *names, uint64_t address)
{
	struct name *name = *find_slot(names->slots, names->nr_slots, address);

	if (name)
		return name;
	if (names->nr * 2 >= names->nr_slots && grow(names))
		return NULL;
	return add_name(names, address);
}
