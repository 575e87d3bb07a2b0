/* SPDX-License-Identifier: GPL-2.0 */
/* see_line.h - print a command that shows a cause, and the network namespace in which it has to run */
#ifndef _RECORD_SKB_SEE_LINE_H
#define _RECORD_SKB_SEE_LINE_H

#include <stdint.h>
#include <json-c/json.h>

#include "model/devices.h"

/**
 * struct see - a command that shows a cause
 * @command: the command; empty for none
 * @netns: network namespace in which it has to run; 0 if it can run in any namespace
 * @devices: devices of the recording, which know the names of namespaces
 */
struct see {
	const char *command;
	uint32_t netns;
	const struct devices *devices;
};

/*
 * Print "see: COMMAND    # in network namespace NAME" after @indent, if there is a command. The namespace is
 * left out if the recording has only one, and this is the first of the machine.
 */
void see_print(const char *indent, const struct see *see);
/* Add the members "command", "netns" and "host", and those with the name of the namespace. */
void see_add(struct json_object *to, const struct see *see);

#endif
