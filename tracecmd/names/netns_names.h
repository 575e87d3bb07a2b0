/* SPDX-License-Identifier: GPL-2.0 */
/* netns_names.h - write the names of network namespaces into the recording */
#ifndef _RECORD_SKB_NETNS_NAMES_H
#define _RECORD_SKB_NETNS_NAMES_H

struct netns_names;

/**
 * netns_names_begin - find the names of all namespaces of the machine
 * @session: session of the module, which is not armed yet
 *
 * A namespace may disappear after its first packet, and before its name is looked up. So this function
 * remembers the names that exist before the recording.
 *
 * Return: the state, to be passed to netns_names_end().
 */
struct netns_names *netns_names_begin(int session);

/*
 * Pass the names of new namespaces to the module. Call this when the session is readable, and every second: a
 * container runtime creates a namespace before the container has a name.
 */
void netns_names_update(struct netns_names *names);

/*
 * Return the time in milliseconds after which netns_names_update() may be called; 0 for now. The pauses limit
 * the searches to a quarter of a CPU. @names may be NULL.
 */
int netns_names_pause_msec(const struct netns_names *names);

/* Pass the last names to the module. Call this before the module is disarmed. @names may be NULL. */
void netns_names_end(struct netns_names *names);

#endif /* _RECORD_SKB_NETNS_NAMES_H */
