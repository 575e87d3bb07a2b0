/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FUNCTION_NAMES_H
#define _RECORD_SKB_FUNCTION_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "functions.h"

/**
 * struct name - a function of the traced kernel
 * @func: address of the function
 * @text: name of the function, or the address in hex
 * @facts: what this program knows about the function (functions.c); NULL if the function is not in that table
 * @known: the trace contains a name for the address
 * @offset: distance of the address that was looked up from the start of the function; 0 if it is not known
 * @gate: the function is a gate of the record_skb module and not a kernel function
 * @common: the same function in the common names of joined recordings (names_intern()); NULL if it was not
 *	looked up yet
 */
struct name {
	uint64_t func;
	const char *text;
	const struct function_facts *facts;
	uint32_t offset;
	bool known;
	bool gate;
	const struct name *common;
};

struct names;

/**
 * names_new - create an empty cache of function names
 * @tep: contains the names; must stay valid until names_free(). NULL for the common names of joined
 *	recordings
 *
 * Return: the cache; NULL if there is not enough memory.
 */
struct names *names_new(struct tep_handle *tep);
void names_free(struct names *names);

/**
 * names_of - look up the function that contains an address
 * @names: function names of the trace
 * @address: any address inside the function
 *
 * Return: the name, valid until names_free(); NULL if there is not enough memory.
 */
const struct name *names_of(struct names *names, uint64_t address);

/**
 * names_intern - find a function of one recording in the common names of joined recordings
 * @names: the common names
 * @name: the function. It is added if no other recording has a function with its text
 *
 * The addresses of a function differ between hosts. In the common names, each function has a made-up address.
 *
 * Return: the name, valid until names_free(); NULL if there is not enough memory.
 */
const struct name *names_intern(struct names *names, const struct name *name);

#endif
