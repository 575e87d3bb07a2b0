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
 * @module: name of the function's module; "" for functions of the kernel itself
 * @line: number of the function's line in available_filter_functions, from 1. Filters of ftrace accept
 *	this number in place of the name. The number is valid until a module is unloaded
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
 * @text: the text of the list; the names of the functions are pointers into it
 * @modules: names and addresses of the modules that were loaded when the functions were read
 * @is_kept: an earlier recording kept the list. Do not refuse a function because it is missing in such a list
 */
struct functions {
	struct function *v;
	size_t n;
	char *text;
	char *modules;
	bool is_kept;
};

/*
 * Read the list of functions: the one that an earlier recording kept (see functions_cache.h), or the
 * kernel's. Do nothing if the list has been read, and no module was loaded or unloaded since. Returns 0 or
 * -1.
 */
int functions_read(struct functions *functions, struct err *err);

/*
 * Read the kernel's list of functions again, because the list has turned out to be outdated. functions_hold()
 * does not detect all such cases. While a module is being loaded, it is in /proc/modules before its functions
 * can be traced. While a module is being unloaded, it stays there after the first of its functions were
 * removed.
 */
int functions_read_again(struct functions *functions, struct err *err);

/* Return true if the kernel shows the addresses of functions, as Linux 6.5 and later do. */
bool functions_have_addresses(void);

/*
 * Return true if the list of functions is still valid: it was read, and no module was loaded or unloaded
 * since.
 */
bool functions_hold(const struct functions *functions);

void functions_free(struct functions *functions);

/*
 * Return the first function with the name @name, or NULL. Set *@n to the number of functions with this name,
 * which follow one another in the array.
 */
const struct function *functions_find(const struct functions *functions, const char *name,
				      size_t *n);

/*
 * Return the first variant of the function @name that the compiler has made, or NULL. The name of a variant
 * is "name.isra.0", for example. A variant can have other arguments than the function.
 */
const struct function *functions_variant(const struct functions *functions, const char *name);

/*
 * Return the next function after @last with a name that matches the glob @pattern, or NULL. If @last is NULL,
 * search from the first function on.
 */
const struct function *functions_match(const struct functions *functions, const char *pattern,
				       const struct function *last);

/*
 * Return true if the function @name is a variant of another function, made by the compiler. The name of a
 * variant is "name.isra.0", for example.
 */
bool function_is_variant(const char *name);

/*
 * Return true if the function @name is a part of tracing itself: of a tracepoint, or of the code that calls
 * programs attached to tracepoints.
 */
bool function_is_tracing(const char *name);

/*
 * Tell the module the addresses of the functions that it will probe, so that the module need not look them up
 * by name. Call this function before adding a probe point. Before Linux 6.5, the kernel does not show the
 * addresses: then the function uses those that function_addresses_keep() of an earlier recording kept. Else
 * it reads @functions if necessary.
 */
void function_addresses_give(int session, struct functions *functions);

/*
 * Keep the addresses of all functions that the module attaches to, for the next recording. Call this function
 * after adding all probe points. If the kernel shows addresses, the function does nothing.
 */
void function_addresses_keep(int session);

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
 * kernel_open() reads the redirected functions of the running kernel, and prepares to read its types.
 * kernel_close() frees everything, and accepts a zeroed structure.
 */
void kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

#endif /* _RECORD_SKB_KERNEL_FUNCTIONS_H */
