/* SPDX-License-Identifier: GPL-2.0 */
/* cause_command.h - fill the addresses, ports and devices of a packet into the command of a cause */
#ifndef _RECORD_SKB_CAUSE_COMMAND_H
#define _RECORD_SKB_CAUSE_COMMAND_H

#include "model/causes.h"

/**
 * struct about - the values that replace the % letters in a command
 * @flow: %S and %D are the source and destination address, %P and %p the source and destination port. %u is
 *	the ss option of the protocol: t for TCP, u for UDP. %L has in addition the ss option that shows
 *	listeners. %n is tcp or udp. For IPv6 and IPv4, %6 is 6 or empty, %e is 6 or Ext, and %f is 6 or 4.
 * @device: %d is the device name, quoted for the shell; %c is the same inside the path of a sysctl. NULL if
 *	the device is not known.
 * @receives: true if %l, the local port, is the destination port; false if it is the source port
 */
struct about {
	const struct flow *flow;
	const char *device;
	bool receives;
};

/*
 * Commands about the route to the destination. "ip route get" does not show which routing rule was used,
 * and fails for a route such as "unreachable". So the commands also list the rules, and all routes to the
 * destination.
 */
#define SHOW_ROUTES   "ip -%f rule; ip -%f route show table all match %D"
#define SHOW_ROUTE_TO "ip route get %D; " SHOW_ROUTES

#define COMMAND_LEN 512
/*
 * Return: the command of @cause, with a value for each % letter, written to @buf of COMMAND_LEN bytes; NULL
 * if @cause has no command or if a value is not known.
 */
const char *cause_command(char *buf, const struct cause *cause, const struct about *about);

/* Return: the word of nft for a family of tables, such as "inet"; "?" if it is not known. */
const char *nft_family(unsigned int family);

/*
 * Return: true if the nft command accepts the name. nft cannot quote names, so a command cannot name every
 * object.
 */
bool nft_can_name(const char *name);

/*
 * Write the command that lists a chain of nftables to @buf of COMMAND_LEN bytes. If nft cannot name the chain
 * or its table, the command lists all tables of the family, and all tables if the family is not known.
 */
void nft_command(char *buf, unsigned int family, const char *table, const char *chain);

/*
 * Write the command that shows the BPF program @id to @buf of COMMAND_LEN bytes. If @is_one_of, it is
 * one of the programs of a cgroup, and the command shows these. Otherwise, @buf becomes empty if @id is
 * 0.
 */
void program_command(char *buf, uint32_t id, bool is_one_of);

#endif
