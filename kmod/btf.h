/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_BTF_H
#define RECORD_SKB_BTF_H

#include <linux/types.h>
#include <uapi/linux/btf.h>

/*
 * struct types - the types of the kernel or of a module, as the kernel has them in sysfs
 * @base: of the kernel, which a module's refer to; NULL for the kernel's own
 * @data, @size: as they were read
 * @type, @nr: where each type is, from the first of these on, whose number is @first
 * @strings, @strings_len: their names; @strings_first: the offset that the first has
 * @by_name: the numbers of the functions, hashed by name; 0 for none; @by_name_mask is its last index
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

struct types *types_load(const char *name, const struct types *base);
void types_free(struct types *types);
const struct btf_type *types_get(const struct types *types, u32 id);
const struct btf_type *types_plain(const struct types *types, u32 id);
const char *types_name(const struct types *types, const struct btf_type *type);
const struct btf_type *types_function(const struct types *types, const char *func, u32 nth);

#endif
