/* SPDX-License-Identifier: GPL-2.0 */
/* netns_names.h - the names of the network namespaces in a recording */
#ifndef _RECORD_SKB_NETNS_NAMES_H
#define _RECORD_SKB_NETNS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "escape.h"
#include "event.h"

/* Room for the text of a name, followed by ":" and the inode number. */
#define NETNS_TEXT_LEN (ESCAPED_LEN(NETNS_NAME_LEN) + 12)

/**
 * struct netns_name - the name of a network namespace
 * @cookie: cookie of the namespace. A cookie is unique, but an inode number can be used again
 * @inode: inode number
 * @kind: enum record_skb_netns_kind
 * @name: the name, which can contain any bytes and must not be printed
 * @detail: more about the name; see enum record_skb_netns_kind
 * @text: the name without blanks, escaped for a terminal
 * @ts: time of the event with the name
 * @checked: number of changes of names when @is_ambiguous was determined; 0 if it was not
 * @is_ambiguous: the text could also mean another namespace
 */
struct netns_name {
	uint64_t cookie;
	uint32_t inode;
	uint8_t kind;
	char name[NETNS_NAME_LEN + 1];
	char detail[NETNS_DETAIL_LEN + 1];
	char text[ESCAPED_LEN(NETNS_NAME_LEN)];
	uint64_t ts;
	uint64_t checked;
	bool is_ambiguous;
};

struct netns_names;

struct netns_names *netns_names_new(void);
void netns_names_free(struct netns_names *names);

/*
 * Process an event record_skb:netns with the time @ts. A later name of a namespace replaces an earlier one.
 */
void netns_names_add(struct netns_names *names, uint64_t ts, const struct netns_facts *facts);

/*
 * Process the event of the first packet of a namespace. From this row on, the inode number belongs to this
 * namespace. Call this function for the rows in their order.
 */
void netns_names_see(struct netns_names *names, const struct netns_facts *facts);

/*
 * Return: the cookie of the namespace that has this inode number at the row that is being read; 0 if it is
 * not known.
 */
uint64_t netns_names_cookie(const struct netns_names *names, uint32_t inode);

/**
 * netns_names_find - find the name of a namespace
 * @names: names of the recording; may be NULL
 * @inode: inode number of the namespace
 * @cookie: its cookie; 0 if it is not known
 *
 * Return: the name; NULL if it has none, or if the name is not certain.
 */
const struct netns_name *netns_names_find(const struct netns_names *names, uint32_t inode,
					  uint64_t cookie);

/**
 * netns_names_text - write the name of a namespace for the output
 * @names: names of the recording; may be NULL
 * @buf: receives the name. This is NAME:INODE if other namespaces have the same name, and the inode number if
 *	the name is not known
 * @size: bytes of @buf; NETNS_TEXT_LEN is always enough
 * @inode: inode number of the namespace
 * @cookie: its cookie; 0 if it is not known
 *
 * Return: @buf.
 */
const char *netns_names_text(const struct netns_names *names, char *buf, size_t size,
			     uint32_t inode, uint64_t cookie);

/* Return: the name of the kind in JSON output. */
const char *netns_kind_name(unsigned int kind);

/*
 * Return: true if @wanted, which the user has entered, means this namespace. @wanted can be the inode number,
 * the name, the text, or NAMESPACE/NAME of a pod. @name may be NULL.
 */
bool netns_is(const struct netns_name *name, uint32_t inode, const char *wanted);

#endif
