/* SPDX-License-Identifier: GPL-2.0 */
/*
 * netns_naming.h - write the names of network namespaces into the recording, and the names of processes with
 * packet sockets
 */
#ifndef _RECORD_SKB_NETNS_NAMING_H
#define _RECORD_SKB_NETNS_NAMING_H

struct netns_names;

/**
 * netns_names_begin - find the names of all network namespaces of the machine
 * @session: session of the module, which is not armed yet
 *
 * A namespace may disappear after its first packet, before its name is looked up. Therefore this function
 * remembers the names that exist before the recording.
 *
 * Return: the state, to be passed to netns_names_end().
 */
struct netns_names *netns_names_begin(int session);

/*
 * Pass the names of new network namespaces to the module. Call this function when the session is readable,
 * and also ten times a second, because a container runtime creates a namespace before the container has a
 * name.
 */
void netns_names_update(struct netns_names *names);

/*
 * Return how many milliseconds the caller has to wait before it calls netns_names_update() again; 0 if it
 * need not wait. These pauses limit the time of the searches to a quarter of a CPU. @names may be NULL.
 */
int netns_names_pause_msec(const struct netns_names *names);

/*
 * Pass the last names to the module, and free the state. Call this function before the module is disarmed.
 * @names may be NULL.
 */
void netns_names_end(struct netns_names *names);

#endif
