/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that ftrace can trace. */
#ifndef _RECORD_SKB_FTRACE_FUNCTIONS_H
#define _RECORD_SKB_FTRACE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "strlist.h"

/**
 * struct function - one that ftrace can trace
 * @name: as ftrace has it
 * @module: whose it is, "" for the kernel's own
 * @line: of available_filter_functions, from 1: ftrace's number for it, as long as no module goes
 * @address: as ftrace names it; 0 if the kernel does not say (before 6.5)
 */
struct function {
	const char *name;
	const char *module;
	unsigned int line;
	unsigned long long address;
};

/**
 * struct functions - all of them
 * @v: sorted by name
 * @n: how many; 0 as long as nobody has read them
 * @text: what the names are in
 * @modules: that were loaded then
 */
struct functions {
	struct function *v;
	size_t n;
	char *text;
	char *modules;
};

/*
 * Read them, if nobody has or if modules came or went since. This is the dearest part of a start, and
 * several times as dear without the module (struct record_skb_large_reads). Returns 0 or -1.
 */
int functions_read(struct functions *functions, struct err *err);

/*
 * Read them in any case, and not from what was kept: what was read does not hold. A module that is being
 * loaded or unloaded is listed before its functions come and for as long as they go.
 */
int functions_read_anew(struct functions *functions, struct err *err);

/* The kernel says where they are (from 6.5 on). */
bool functions_have_addresses(void);

/* They were read, and no module came or went since. */
bool functions_hold(const struct functions *functions);

void functions_free(struct functions *functions);

/* The first function called @name, and in @n how many there are; NULL if there is none. */
const struct function *functions_find(const struct functions *functions, const char *name,
				      size_t *n);

/*
 * The first function that the compiler made of @name for callers of its own ("name.isra.0"), whose
 * arguments are not those of @name; NULL if there is none.
 */
const struct function *functions_variant(const struct functions *functions, const char *name);

/*
 * The function behind @last, or the first, that has this name or one that the glob @pattern matches; NULL if
 * there is none.
 */
const struct function *functions_match(const struct functions *functions, const char *pattern,
				       const struct function *last);

/* The name is such a variant's. */
bool function_is_variant(const char *name);

/* The function is part of a tracepoint or of a program on one. */
bool function_is_tracing(const char *name);

#endif
