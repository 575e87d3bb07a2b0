/* SPDX-License-Identifier: GPL-2.0 */
/* causes.h - why the kernel drops a packet or refuses a call, and a command that shows the cause */
#ifndef _RECORD_SKB_CAUSES_H
#define _RECORD_SKB_CAUSES_H

#include "flow_text.h"
#include "record_skb.h"

/**
 * struct cause - one cause of a drop or of a failed call
 * @reason: drop reason, as the kernel names it; NULL if this is not the cause of a drop
 * @func: function that drops the packet or refuses the call, or several names with "|" between them; NULL
 *	matches any function
 * @error: errno value of the failed call; 0 if this is not the cause of a failed call
 * @says: text for the user: which part of the system decided, and why
 * @shows: command that shows the cause, with the % letters of struct about (cause_command.h); NULL without a
 *	command
 * @global: @shows prints a setting of the whole machine, which only the initial network namespace has
 * @limit: enum record_skb_limit: the queue or limit that was exceeded; the recording may contain its value
 */
struct cause {
	const char *reason, *func;
	int error;
	const char *says, *shows;
	bool global;
	uint8_t limit;
};

/* Kinds of packets that the kernel freed without giving a drop reason. */
enum freed_kind {
	FREED_SYN,	 /* a SYN without an answer */
	FREED_HANDSHAKE, /* a packet that follows an answered SYN */
	FREED_TCP,
	FREED_EARLY, /* a TCP packet, freed before a socket had it */
	FREED_ECHO,  /* an echo request without an answer */
	FREED_OTHER,
};

/* Return: the possible cause for a packet that @func freed without a drop reason; never NULL. */
const struct cause *cause_of_freed(enum freed_kind kind, const char *func);

/* Return: the cause for a packet that @func dropped for @reason; never NULL. */
const struct cause *cause_of_drop(const char *reason, const char *func);
/*
 * Return: true if @func is one of @names, which are separated by "|", or if @names is NULL. A variant of a
 * function that the compiler has made, such as "ip_forward.constprop.0", counts as the function.
 */
bool cause_is_in(const char *names, const char *func);
/* Return: true if the table has a cause for packets that @func dropped for @reason. */
bool cause_is_known(const char *reason, const char *func);
/*
 * Return: the cause of a failed call: @func returned -@error. NULL if the table has no cause, for example for
 * EAGAIN.
 */
const struct cause *cause_of_error(int error, const char *func);

#endif
