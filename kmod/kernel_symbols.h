/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_KERNEL_SYMBOLS_H
#define RECORD_SKB_KERNEL_SYMBOLS_H

#include <linux/tracepoint.h>
#include <linux/types.h>
#include <record_skb.h>
#include <uapi/linux/btf.h>

/*
 * struct types - the types of the kernel or of a module, as read from sysfs
 * @base: types of the kernel, which the types of a module refer to; NULL for the kernel itself
 * @data, @size: contents of the BTF file
 * @type, @nr: array of pointers to the types; the first type has the number @first
 * @strings, @strings_len: names of the types; the offset of the first name is @strings_first
 * @by_name: hash table that maps names of functions to type numbers, with 0 in a free slot; @by_name_mask
 *	is the last index of the table
 */
struct types {
	const struct types *base;
	void *data;
	size_t size;
	const struct btf_type **type;
	u32 nr;
	u32 first;
	const char *strings;
	u32 strings_len;
	u32 strings_first;
	u32 *by_name;
	u32 by_name_mask;
};

unsigned long *functions_from_user(u64 from, u32 nr);
void functions_free(unsigned long *functions);

int kallsyms_set(const struct record_skb_addresses *want, unsigned long *functions);
void kallsyms_forget(void);
int kallsyms_find(const char *func, unsigned long *ip);
int kallsyms_address(unsigned long func, unsigned long *ip);
unsigned long kallsyms_find_untraced(const char *func);
void kallsyms_done(void);
struct tracepoint *tracepoint_named(const char *name);

/**
 * tracepoint_attach() - register a callback for a tracepoint
 * @name: name of the tracepoint; its header in trace/events must be included
 * @tp: the result of tracepoint_named(), not NULL
 * @callback: the callback
 * @data: first argument of the callback
 *
 * The compiler refuses a callback with another prototype than the tracepoint. A kernel with kCFI would stop
 * at the first call of such a callback.
 *
 * Return: 0 or a negative error.
 */
#define tracepoint_attach(name, tp, callback, data)                \
	({                                                         \
		check_trace_callback_type_##name(callback);        \
		tracepoint_probe_register((tp), callback, (data)); \
	})

struct types *types_load(const char *name, const struct types *base);
void types_free(struct types *types);
const struct btf_type *types_get(const struct types *types, u32 id);
const struct btf_type *types_plain(const struct types *types, u32 id);
const char *types_name(const struct types *types, const struct btf_type *type);
const struct btf_type *types_function(const struct types *types, const char *func, u32 nth);

#endif
