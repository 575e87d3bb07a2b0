/* SPDX-License-Identifier: GPL-2.0 */
/* limit_text.h - describe the queue or limit that was exceeded, and the setting to change */
#ifndef _RECORD_SKB_LIMIT_TEXT_H
#define _RECORD_SKB_LIMIT_TEXT_H

#include "input/reader.h"

/*
 * struct reader_task - a task that has received from a port or a connection
 * @has_address: the socket is bound to @address, as in struct flow
 */
struct reader_task {
	int pid;
	char name[TASK_NAME_LEN + 1];
	bool has_address;
	uint8_t address[16];
};

/**
 * struct limited - the packet that a limit concerns
 * @family: address family of the packet, as in struct flow
 * @proto: IP protocol number
 * @port: the local port, 0 without ports
 * @dport: the destination port, 0 without ports
 * @address: the destination address
 * @flow: number of the flow, 0 if it is not known
 * @netns: network namespace of @device; 0 if it is not known
 * @device: the last device of the packet; NULL if it is not known
 */
struct limited {
	uint8_t family, proto;
	uint16_t port, dport;
	uint8_t address[16];
	uint32_t flow;
	uint32_t netns;
	const char *device;
};

/* Return: the name of a queue or limit: "accept queue". @kind is an enum record_skb_limit. */
const char *limit_name(unsigned int kind);

/* The tasks that receive from each connection, and from each local port of each network namespace. */
struct readers;

struct readers *readers_create(void);
void readers_free(struct readers *readers);
/* Note the task of a socket call that opened a call graph. */
void readers_add(struct readers *readers, const struct moment *at, const struct skb_event *event);
/*
 * Return: the task that receives packets like @limited; NULL if it is not known. A program that receives
 * nothing is not known, so the only task that receives from the port may have another socket than that of the
 * packet. Therefore the namespace and the address must fit. With @port_is_shared, other sockets may have the
 * port, so the task must have received from the connection.
 */
const struct reader_task *readers_find(const struct readers *readers, const struct limited *limited,
				       bool port_is_shared);

/*
 * Describe the limit, with escaped names: "the accept queue of port 443 was full (129 of 128): its program
 * (last seen: nginx-812) accepts too slowly, or net.core.somaxconn and listen() are too small". @reader is
 * the task that receives from the port; NULL if it is not known.
 */
void words_limit(char *buf, size_t size, const struct limit_facts *limit,
		 const struct limited *limited, const struct reader_task *reader);

#endif
