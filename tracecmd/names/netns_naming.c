// SPDX-License-Identifier: GPL-2.0
/*
 * netns_naming.c - write the names of network namespaces into the recording, and the names of processes with
 * packet sockets
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "module/module_client.h"
#include "names/netns_naming.h"
#include "names/netns_scan.h"
#include "text.h"

/*
 * How long to search for a good name of a namespace after its first packet. The pause after each search is a
 * quarter of the time since the first packet.
 */
#define MAX_AGE_USEC 10000000
#define AGE_SHARE    4
/* The pause after a search is PAUSE_MIN_USEC plus PAUSE_FACTOR times the duration of the search. */
#define PAUSE_MIN_USEC 2000
#define PAUSE_FACTOR   3

/* Quality of a name, the worst first. A better name replaces a worse name of the same namespace. */
enum quality {
	NO_NAME,
	OF_SENDER, /* the name of the process that ran when the first packet was seen */
	OF_PROCESS,
	GENERATED,
	OF_ID,		      /* the ID of a container */
	OF_SENDERS_CONTAINER, /* the container of the process that OF_SENDER names */
	GOOD,
};

/**
 * struct pending - a network namespace that has packets, or a packet socket that missed packets
 * @netns: the namespace and the process that ran at its first packet, as the module has stored them
 * @named: the name that was passed to the module
 * @quality: quality of this name
 * @seen_usec: time at which this program learned of the namespace
 * @resume_usec: time of the next search for its name; INT64_MAX if there will be no more
 */
struct pending {
	struct record_skb_netns netns;
	struct netns_label named;
	enum quality quality;
	long long seen_usec, resume_usec;
};

/**
 * struct netns_names - state of the search for names
 * @session: session of the module
 * @early: namespaces that existed before the recording, with their names
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

/* Get the namespaces that the module has reported since the last call. Return true if there are new ones. */
static bool get_new(struct netns_names *names)
{
	struct record_skb_netns netns = { .index = names->n };
	const size_t before = names->n;

	while (!session_get_netns(names->session, &netns)) {
		names->v = xrealloc(names->v, (names->n + 1) * sizeof(*names->v));
		names->v[names->n++] = (struct pending){ .netns = netns, .seen_usec = now_usec() };
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
	if (container_lacks_name(&found->label))
		return OF_ID;
	return found->generated ? GENERATED : GOOD;
}

/*
 * Find a namespace in a list by its inode number. An inode number can be used again for another namespace, so
 * the cookies must be the same, too.
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

static bool is_due(const struct pending *pending, long long now)
{
	return pending->quality < GOOD && now >= pending->resume_usec;
}

static void give_label(struct netns_names *names, struct pending *pending,
		       const struct netns_label *label, enum quality quality)
{
	struct record_skb_netns netns = pending->netns;

	if (quality <= pending->quality)
		return;
	netns.kind = label->kind;
	memcpy(netns.name, label->name, sizeof(netns.name));
	memcpy(netns.detail, label->detail, sizeof(netns.detail));
	/* If the name is the same and only its quality is better, the module has the name already. */
	if (memcmp(&pending->named, label, sizeof(*label)) &&
	    session_name_netns(names->session, &netns))
		return;
	pending->named = *label;
	pending->quality = quality;
}

static void give_name(struct netns_names *names, struct pending *pending,
		      const struct netns_found *found)
{
	if (found)
		give_label(names, pending, &found->label, quality_of(found));
}

/*
 * Name a namespace after the container of the process that ran at its first packet. This takes little time,
 * because the module has stored the cgroup of the process.
 */
static void name_by_cgroup(struct netns_names *names, struct pending *pending)
{
	struct netns_label label = {};

	if (!pending->netns.is_host && container_find_cgroup(pending->netns.cgroup, &label))
		give_label(names, pending, &label,
			   container_lacks_name(&label) ? OF_ID : OF_SENDERS_CONTAINER);
}

/* Name a namespace after the process that ran at its first packet, if no better name was found. */
static void name_by_sender(struct netns_names *names, struct pending *pending)
{
	struct netns_label label = { .kind = pending->netns.kind };

	if (label.kind != RECORD_SKB_NETNS_PROCESS)
		return;
	memcpy(label.name, pending->netns.name, sizeof(label.name));
	memcpy(label.detail, pending->netns.detail, sizeof(label.detail));
	give_label(names, pending, &label, OF_SENDER);
}

/* Packet sockets */

static bool is_socket(const struct pending *pending)
{
	return pending->netns.cookie & RECORD_SKB_NETNS_SOCKET;
}

/* Return the packet socket with this inode number if it has no name yet, or NULL. */
static struct pending *find_socket(const struct netns_names *names, unsigned int inode)
{
	for (size_t i = 0; i < names->n; i++)
		if (is_socket(&names->v[i]) && names->v[i].netns.inum == inode &&
		    names->v[i].quality == NO_NAME)
			return &names->v[i];
	return NULL;
}

/* Name a packet socket after the process @pid, which has the socket open. */
static void name_socket(struct netns_names *names, struct pending *pending, unsigned int pid)
{
	struct netns_found found = { .label = { .kind = RECORD_SKB_NETNS_TAP } };

	if (!netns_read_process("", pid, found.label.name, sizeof(found.label.name),
				&found.started))
		return;
	snprintf(found.label.detail, sizeof(found.label.detail), "%u", pid);
	give_name(names, pending, &found);
}

static void scan_files(struct netns_names *names, unsigned int pid)
{
	char *folder = xasprintf("/proc/%u/fd", pid);
	const struct dirent *entry;
	struct pending *pending;
	DIR *dir = opendir(folder);
	unsigned int inode;
	char text[64];
	ssize_t n;

	while (dir && (entry = readdir(dir))) {
		n = readlinkat(dirfd(dir), entry->d_name, text, sizeof(text) - 1);
		text[n > 0 ? n : 0] = '\0';
		pending = sscanf(text, "socket:[%u]", &inode) == 1 ? find_socket(names, inode) :
								     NULL;
		if (pending)
			name_socket(names, pending, pid);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

static void search_sockets(struct netns_names *names, long long now)
{
	const struct dirent *entry;
	bool wanted = false;
	unsigned int pid;
	DIR *dir;

	for (size_t i = 0; i < names->n; i++)
		wanted |= is_socket(&names->v[i]) && is_due(&names->v[i], now);
	dir = wanted ? opendir("/proc") : NULL;
	while (dir && (entry = readdir(dir))) {
		pid = strtoul(entry->d_name, NULL, 10);
		if (pid)
			scan_files(names, pid);
	}
	if (dir)
		closedir(dir);
}

static bool wants_search(const struct netns_names *names, long long now)
{
	for (size_t i = 0; i < names->n; i++)
		if (is_due(&names->v[i], now))
			return true;
	return false;
}

/* Give the namespaces with packets those names that are in @list. */
static void give_names(struct netns_names *names, struct netns_list *list, long long now)
{
	for (size_t i = 0; i < names->n; i++)
		if (!is_socket(&names->v[i]) && is_due(&names->v[i], now))
			give_name(names, &names->v[i], find_same(list, &names->v[i].netns));
}

static void end_search(struct netns_names *names, long long began)
{
	static const struct netns_found host = {
		.label = { .kind = RECORD_SKB_NETNS_HOST, .name = "host" },
	};
	const long long now = now_usec();
	struct pending *pending;

	for (size_t i = 0; i < names->n; i++) {
		pending = &names->v[i];
		if (pending->netns.is_host)
			give_name(names, pending, &host);
		else
			name_by_sender(names, pending);
		if (is_due(pending, began))
			pending->resume_usec = now - pending->seen_usec > MAX_AGE_USEC ?
						       INT64_MAX :
						       now + (now - pending->seen_usec) / AGE_SHARE;
	}
	names->resume_usec = now + PAUSE_MIN_USEC + PAUSE_FACTOR * (now - began);
}

/*
 * Search for names of namespaces. A namespace may exist only for a short time, so begin with the methods that
 * take the least time.
 */
static void search(struct netns_names *names, long long now)
{
	struct netns_list mounts = {}, all = {};

	for (size_t i = 0; i < names->n; i++)
		if (is_due(&names->v[i], now))
			name_by_cgroup(names, &names->v[i]);
	search_sockets(names, now);
	netns_scan_mounts("", &mounts);
	give_names(names, &mounts, now);
	netns_list_free(&mounts);
	if (wants_search(names, now)) {
		give_names(names, &names->early, now);
		netns_scan("", &all);
		give_names(names, &all, now);
		netns_list_free(&all);
	}
	end_search(names, now);
}

void netns_names_update(struct netns_names *names)
{
	const long long now = now_usec();

	/* get_new() takes time, so read the clock again: new namespaces have a later time than @now. */
	if (get_new(names) || wants_search(names, now))
		search(names, now_usec());
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
		names->v[i].resume_usec = 0;
	if (wants_search(names, now_usec()))
		search(names, now_usec());
	netns_list_free(&names->early);
	free(names->v);
	free(names);
}
