/* SPDX-License-Identifier: GPL-2.0 */
/* open_waits.h - find waits that were still going on at the end of the recording */
#ifndef _RECORD_SKB_OPEN_WAITS_H
#define _RECORD_SKB_OPEN_WAITS_H

#include "model/cause_command.h"
#include "model/servers.h"
#include "model/socket_reads.h"
#include "model/stages.h"

/* Kinds of waits that had not ended at the end of the recording. */
enum open_kind {
	OPEN_UNREAD_BY_SERVER, /* in the receive queue of a server's socket */
	OPEN_UNREAD_BY_CLIENT,
	OPEN_UNREAD,  /* in the receive queue of a socket; the server is not known */
	OPEN_CONNECT, /* a SYN without an answer */
	OPEN_REQUEST, /* a request without an answer */
	OPEN_QUEUED,  /* in a queue of the kernel */
	OPEN_KINDS,
};

/**
 * struct open_wait - waits of one kind that were still going on at the end of the recording
 * @kind: kind of the waits
 * @server: the server of the packets; for OPEN_QUEUED: NULL
 * @where: for OPEN_QUEUED: description of the queue; otherwise NULL
 * @nr: number of packets; for OPEN_CONNECT and OPEN_REQUEST: number of flows
 * @since: time when the longest of the waits began
 * @packet: number of the packet with the longest wait
 * @flow, @device, @netns: headers of this packet where it waits, its last device, and the network namespace
 *	of that device; empty or 0 if not known
 * @sender: for a packet that was not read: the key of the connection and of the end that sent the packet
 * @closed: for a packet that was not read: time when its sender closed or reset the connection; 0 if it did
 *	not
 */
struct open_wait {
	enum open_kind kind;
	const struct server *server;
	char *where;
	uint64_t nr, since;
	uint32_t packet;
	struct flow flow;
	char device[DEVICE_NAME_LEN + 1];
	uint32_t netns;
	uint64_t sender, closed;
};

/* Minimum duration in ns of a wait that is reported on its own. */
#define LONG_WAIT 100000000ull

struct open_waits;

/**
 * open_waits_new - begin to search for waits
 * @packets: address of a pointer to struct packets, which knows the devices and losses. The pointer must be
 *	set before the first packet
 * @reads: the calls that read sockets
 *
 * Return: the waits; NULL if there is not enough memory.
 */
struct open_waits *open_waits_new(struct packets **packets, const struct socket_reads *reads);
void open_waits_free(struct open_waits *waits);

/* Add the next packet, its path and its server. @way and @server may be NULL. */
void open_waits_add(struct open_waits *waits, const struct packet *packet, const struct way *way,
		    const struct server *server);
/* Finish after the last packet. The requests without an answer come from @servers. */
void open_waits_finish(struct open_waits *waits, const struct servers *servers);

/* Return: true if waits are missing because there was not enough memory. */
bool open_waits_lack_memory(const struct open_waits *waits);
/*
 * Return: the waits, the longest first. The function sets @n to their number. Valid after
 * open_waits_finish().
 */
struct open_wait *const *open_waits_all(const struct open_waits *waits, size_t *n);

#define OPEN_WAIT_LEN (VERDICT_LEN + FLOW_TEXT_LEN)
/* Describe a wait: "not read by the server: tcp 10.0.0.2:443". @buf has OPEN_WAIT_LEN bytes. */
const char *words_open_wait(char *buf, const struct open_wait *wait);
#define CLOSED_LEN (DURATION_LEN + 32)
/*
 * Describe when the sender of an unread packet closed the connection: "; the client closed after 3.04 s". The
 * text is empty if the sender did not close it. @buf has CLOSED_LEN bytes.
 */
const char *words_open_closed(char *buf, const struct open_wait *wait);

/*
 * Write the command that shows what waits, or the process that does not read or answer, to @buf of
 * COMMAND_LEN bytes. It has to run in @wait->netns. Return: @buf; NULL if there is no such command.
 */
const char *open_wait_command(char *buf, const struct open_wait *wait);

#endif
