/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_KERNEL_SYMBOLS_H
#define RECORD_SKB_KERNEL_SYMBOLS_H

#include <linux/types.h>
#include <record_skb.h>
#include <uapi/linux/btf.h>

struct tracepoint;

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

int kallsyms_set(const struct record_skb_addresses *want);
void kallsyms_forget(void);
int kallsyms_find(const char *func, unsigned long *ip);
int kallsyms_address(unsigned long func, unsigned long *ip);
unsigned long kallsyms_find_untraced(const char *func);
void kallsyms_done(void);
struct tracepoint *tracepoint_named(const char *name);

struct types *types_load(const char *name, const struct types *base);
void types_free(struct types *types);
const struct btf_type *types_get(const struct types *types, u32 id);
const struct btf_type *types_plain(const struct types *types, u32 id);
const char *types_name(const struct types *types, const struct btf_type *type);
const struct btf_type *types_function(const struct types *types, const char *func, u32 nth);

#endif
