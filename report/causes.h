/* SPDX-License-Identifier: GPL-2.0 */
/* causes.h - why the kernel drops a packet or refuses a call, and the command that shows it */
#ifndef _REPORT_SKB_CAUSES_H
#define _REPORT_SKB_CAUSES_H

#include "flow_text.h"

/**
 * struct cause - one cause
 * @reason: of a drop, as the kernel names it
 * @func: where it is dropped, or what refuses; NULL for any
 * @error: of a call that is refused: what it returns, else 0
 * @says: who decided, and by what
 * @shows: the command that shows it, with the letters of struct about behind a %; NULL for none
 * @global: it is for the whole machine, and shows in no network namespace but the first
 */
struct cause {
	const char *reason, *func;
	int error;
	const char *says, *shows;
	bool global;
};

/* Of a packet that @func dropped for @reason. */
const struct cause *cause_of_drop(const char *reason, const char *func);
/* Of a packet that this function of netfilter's hook dropped; NULL if nothing is known of that function. */
const struct cause *cause_of_hook(const char *func);
/* Of a call of @func that returned -@error; NULL if that refuses nothing, as not to wait does. */
const struct cause *cause_of_error(int error, const char *func);

/**
 * struct about - what a command needs to know of what it is to show
 * @flow: %S and %D are its addresses, %P and %p its ports, %u is t for TCP and u for UDP, as ss has
 *	them, and %6 is 6 for IPv6 and else nothing
 * @device: %d is its name, NULL if not known
 * @receives: %l is the port of the flow on this machine, its destination then
 */
struct about {
	const struct flow *flow;
	const char *device;
	bool receives;
};

#define COMMAND_LEN 512
/* The command with all filled in; NULL if something that it needs is not known, or if there is none. */
const char *cause_command(char *buf, const struct cause *cause, const struct about *about);

#endif
