// SPDX-License-Identifier: GPL-2.0
/* netns_names.c - write the names of network namespaces into the recording */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "module/module_client.h"
#include "names/netns_names.h"
#include "names/netns_scan.h"
#include "text.h"

/* How often to look for a better name than that of a process, or for any name. */
#define MAX_TRIES 10
/* Pause between two searches: its minimum, and how many times as long as a search it is. */
#define PAUSE_MIN_USEC 2000
#define PAUSE_FACTOR   3

/* Quality of a name. A better name of the same namespace replaces a worse one. */
enum quality { NO_NAME, OF_PROCESS, GENERATED, GOOD };

/* struct pending - a namespace with packets */
struct pending {
	struct record_skb_netns netns;
	enum quality quality;
	unsigned int tries;
};

/**
 * struct netns_names - state of the search for names
 * @session: session of the module
 * @early: namespaces that existed before the recording
 * @v: namespaces with packets
 * @n: number of elements in @v
 * @resume_usec: time of the next search
 */
struct netns_names {
	int session;
	struct netns_list early;
	struct pending *v;
	size_t n;
	long long resume_usec;
};

static long long now_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

struct netns_names *netns_names_begin(int session)
{
	struct netns_names *names = xrealloc(NULL, sizeof(*names));

	*names = (struct netns_names){ .session = session };
	netns_scan("", &names->early);
	for (size_t i = 0; i < names->early.n; i++)
		netns_found_cookie(&names->early.v[i]);
	return names;
}

/* Get the namespaces that the module has seen since the last call. Return true if there are any. */
static bool get_new(struct netns_names *names)
{
	struct record_skb_netns netns = { .index = names->n };
	const size_t before = names->n;

	while (!session_get_netns(names->session, &netns)) {
		names->v = xrealloc(names->v, (names->n + 1) * sizeof(*names->v));
		names->v[names->n++] = (struct pending){ .netns = netns };
		netns = (struct record_skb_netns){ .index = names->n };
	}
	return names->n > before;
}

static enum quality quality_of(const struct netns_found *found)
{
	if (found->label.kind == RECORD_SKB_NETNS_SEEN)
		return NO_NAME;
	if (found->label.kind == RECORD_SKB_NETNS_PROCESS)
		return OF_PROCESS;
	return found->generated ? GENERATED : GOOD;
}

/*
 * Find the namespace in a list. Its inode number may have been used by another namespace, so the cookie has
 * to be the same.
 */
static const struct netns_found *find_same(struct netns_list *list,
					   const struct record_skb_netns *netns)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].inode != netns->inum)
			continue;
		if (!list->v[i].cookie)
			netns_found_cookie(&list->v[i]);
		if (list->v[i].cookie == netns->cookie)
			return &list->v[i];
	}
	return NULL;
}

static void give_name(struct netns_names *names, struct pending *pending,
		      const struct netns_found *found)
{
	struct record_skb_netns *netns = &pending->netns;

	if (!found || quality_of(found) <= pending->quality)
		return;
	netns->kind = found->label.kind;
	memcpy(netns->name, found->label.name, sizeof(netns->name));
	memcpy(netns->detail, found->label.detail, sizeof(netns->detail));
	if (!session_name_netns(names->session, netns))
		pending->quality = quality_of(found);
}

static bool wants_search(const struct netns_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->v[i].quality < GOOD && names->v[i].tries < MAX_TRIES)
			return true;
	return false;
}

/* Give the namespaces the names that are in the list. */
static void give_names(struct netns_names *names, struct netns_list *list)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->v[i].quality < GOOD && names->v[i].tries < MAX_TRIES)
			give_name(names, &names->v[i], find_same(list, &names->v[i].netns));
}

static void count_tries(struct netns_names *names)
{
	static const struct netns_found host = {
		.label = { .kind = RECORD_SKB_NETNS_HOST, .name = "host" },
	};

	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i].netns.is_host)
			give_name(names, &names->v[i], &host);
		names->v[i].tries++;
	}
}

/* A namespace may exist for a short time only, so begin with the search that takes the least time. */
static void search(struct netns_names *names)
{
	const long long begin = now_usec();
	struct netns_list mounts = {}, all = {};

	netns_scan_mounts("", &mounts);
	give_names(names, &mounts);
	netns_list_free(&mounts);
	if (wants_search(names)) {
		give_names(names, &names->early);
		netns_scan("", &all);
		give_names(names, &all);
		netns_list_free(&all);
	}
	count_tries(names);
	names->resume_usec = now_usec() + PAUSE_MIN_USEC + PAUSE_FACTOR * (now_usec() - begin);
}

void netns_names_update(struct netns_names *names)
{
	get_new(names);
	if (wants_search(names))
		search(names);
}

int netns_names_pause_msec(const struct netns_names *names)
{
	const long long left = names ? names->resume_usec - now_usec() : 0;

	return left > 0 ? left / 1000 + 1 : 0;
}

void netns_names_end(struct netns_names *names)
{
	if (!names)
		return;
	get_new(names);
	for (size_t i = 0; i < names->n; i++)
		names->v[i].tries = 0;
	if (wants_search(names))
		search(names);
	netns_list_free(&names->early);
	free(names->v);
	free(names);
}
