/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own description of its functions, by name. */
#ifndef _RECORD_SKB_BTF_H
#define _RECORD_SKB_BTF_H

#include <bpf/btf.h>

#define BTF_DIR "/sys/kernel/btf"

/**
 * struct prototype - what BTF says of a function
 * @btf: where its types are
 * @type: a BTF_KIND_FUNC_PROTO
 */
struct prototype {
	const struct btf *btf;
	const struct btf_type *type;
};

struct btf_set;

/**
 * btf_open - read the kernel's own types; those of modules are read when they are asked for
 * @dir: BTF_DIR
 *
 * Returns NULL if this kernel has none.
 */
struct btf_set *btf_open(const char *dir);
void btf_close(struct btf_set *set);

/**
 * btf_find - look a function up
 * @set: of btf_open()
 * @function: its name
 * @module: whose it is; "" for the kernel's own, NULL for whoever has one, the kernel first
 * @found: gets its prototypes: more than one if functions of this name differ
 * @room: of @found
 *
 * Returns how many prototypes there are, maybe more than @room; 0 if it is not known, and -1 if
 * nothing is known of the module.
 */
int btf_find(struct btf_set *set, const char *function, const char *module, struct prototype *found,
	     int room);

#endif
