/* SPDX-License-Identifier: GPL-2.0 */
/* kernel_functions.h - the functions that ftrace can trace, and their addresses */
#ifndef _RECORD_SKB_KERNEL_FUNCTIONS_H
#define _RECORD_SKB_KERNEL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "probes/kernel_types.h"
#include "text.h"

/**
 * struct function - a function that ftrace can trace
 * @name: name of the function in ftrace
 * @module: name of its module; "" for functions of the kernel itself
 * @line: number of its line in available_filter_functions, from 1. Filters of ftrace accept this number in
 *	place of the name. It is valid until a module is unloaded
 * @address: address of the function's ftrace call site; 0 if the kernel does not show it (before 6.5)
 */
struct function {
	const char *name;
	const char *module;
	unsigned int line;
	unsigned long long address;
};

/**
 * struct functions - all functions that ftrace can trace
 * @v: the functions, sorted by name
 * @n: number of functions; 0 until they are read
 * @text: the text of the list, which the names of the functions point into
 * @modules: text with the modules that were loaded when the functions were read
 */
struct functions {
	struct function *v;
	size_t n;
	char *text;
	char *modules;
};

/*
 * Read the list of functions, unless it has been read and no module was loaded or unloaded since. Reading is
 * the most expensive part of starting a recording: for each page of the file, the kernel searches all
 * functions from the first one on. Returns 0 or -1.
 */
int functions_read(struct functions *functions, struct err *err);

/*
 * Read the list of functions again. Call this if the list has turned out to be outdated. functions_hold()
 * does not detect this in all cases: a module that is being loaded is in /proc/modules before its functions
 * can be traced, and a module that is being unloaded stays there while they are removed.
 */
int functions_read_again(struct functions *functions, struct err *err);

/* Return true if the kernel shows the addresses of functions (6.5 and later). */
bool functions_have_addresses(void);

/*
 * Return true if the list of functions is still valid: it was read, and no module was loaded or unloaded
 * since.
 */
bool functions_hold(const struct functions *functions);

void functions_free(struct functions *functions);

/*
 * Return the first function called @name, or NULL. Set *@n to the number of functions with this name; they
 * follow each other in the array.
 */
const struct function *functions_find(const struct functions *functions, const char *name,
				      size_t *n);

/*
 * Return the first variant that the compiler has made of function @name, or NULL. A variant is called
 * "name.isra.0", for example, and can have other arguments.
 */
const struct function *functions_variant(const struct functions *functions, const char *name);

/*
 * Return the next function after @last with a name that matches the glob @pattern, or NULL. If @last is NULL,
 * search from the first function on.
 */
const struct function *functions_match(const struct functions *functions, const char *pattern,
				       const struct function *last);

/* Return true if @name is the name of a variant that the compiler has made, such as "name.isra.0". */
bool function_is_variant(const char *name);

/* Return true if the function is part of a tracepoint, or belongs to a program that is attached to one. */
bool function_is_tracing(const char *name);

/*
 * Pass the module the addresses of the functions that it will probe, so that it need not look them up by
 * name. Call this before adding a probe point. Only kernels since 6.5 show addresses; on older kernels this
 * does nothing. Reads @functions if necessary.
 */
void function_addresses_give(int session, struct functions *functions);

/**
 * struct kernel - functions and types of the running kernel
 * @types: types from BTF; NULL if the kernel has no BTF
 * @functions: functions that ftrace can trace; empty before functions_read()
 * @redirected: names of functions that another ftrace user redirects, such as a live patch
 */
struct kernel {
	struct btf_set *types;
	struct functions functions;
	struct strings redirected;
};

/*
 * kernel_open() reads types and redirected functions of the running kernel. kernel_close() frees them and
 * accepts a zeroed structure.
 */
void kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

#endif /* _RECORD_SKB_KERNEL_FUNCTIONS_H */
