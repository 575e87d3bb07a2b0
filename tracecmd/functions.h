/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FUNCTIONS_H
#define _RECORD_SKB_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/**
 * struct function - one that ftrace can trace
 * @name: as ftrace has it
 * @module: whose it is, "" for the kernel's own
 */
struct function {
	const char *name;
	const char *module;
};

/**
 * struct functions - all of them
 * @v: sorted by name
 * @n: how many; 0 as long as nobody has read them
 * @text: what the names are in
 */
struct functions {
	struct function *v;
	size_t n;
	char *text;
};

/* Read them, once. Returns 0 or -1. */
int functions_read(struct functions *functions, const char *tracefs, struct err *err);
void functions_free(struct functions *functions);

/* The first function called @name, and in @n how many there are; NULL if there is none. */
const struct function *functions_find(const struct functions *functions, const char *name, size_t *n);

/*
 * The first function that the compiler made of @name for callers of its own ("name.isra.0"), whose
 * arguments are not those of @name; NULL if there is none.
 */
const struct function *functions_variant(const struct functions *functions, const char *name);

/* The name is such a variant's. */
bool function_is_variant(const char *name);

/* The function is part of a tracepoint or of a program on one. */
bool function_is_tracing(const char *name);

#endif
