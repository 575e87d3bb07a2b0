// SPDX-License-Identifier: GPL-2.0
/* The kernel's own description of its functions, by name. */
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "btf.h"
#include "strlist.h"

/**
 * struct part - the types of the kernel, or what a module adds to them
 * @module: "" for the kernel
 * @btf: NULL if it could not be read
 * @slots: hash table of the functions by name: their ids, 0 where there is none
 * @mask: one less than @slots has, which is a power of 2
 */
struct part {
	char *module;
	struct btf *btf;
	uint32_t *slots;
	uint32_t mask;
};

/**
 * struct btf_set - all that were read so far
 * @dir: where they are
 * @parts: the kernel's first
 * @nr_parts: how many
 * @has_all: every module in @dir is among them
 */
struct btf_set {
	char *dir;
	struct part *parts;
	size_t nr_parts;
	bool has_all;
};

/* libbpf's words go to no one: without BTF we say what that means. */
static int keep_quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static uint32_t hash(const char *name)
{
	uint32_t h = 2166136261U; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619U;
	return h;
}

static const char *name_of(const struct btf *btf, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(btf, type->name_off);

	return name ? name : "";
}

static void index_functions(struct part *part, uint32_t first)
{
	const uint32_t end = btf__type_cnt(part->btf);
	const struct btf_type *type;
	uint32_t slot;

	/* At most half full, for not every type is a function. */
	for (part->mask = 1; part->mask < end - first; part->mask = part->mask << 1 | 1)
		;
	part->mask = part->mask << 1 | 1;
	part->slots = xrealloc(NULL, ((size_t)part->mask + 1) * sizeof(*part->slots));
	memset(part->slots, 0, ((size_t)part->mask + 1) * sizeof(*part->slots));
	for (uint32_t id = first; id < end; id++) {
		type = btf__type_by_id(part->btf, id);
		if (!btf_is_func(type))
			continue;
		slot = hash(name_of(part->btf, type)) & part->mask;
		while (part->slots[slot])
			slot = (slot + 1) & part->mask;
		part->slots[slot] = id;
	}
}

/*
 * Read the part of @module, which may turn out to have none. Not by btf__load_vmlinux_btf() and
 * btf__load_module_btf(): the tests have a directory of their own. And not found by
 * btf__find_by_name_kind(), which goes through all types for each name.
 */
static void add_part(struct btf_set *set, const char *module)
{
	struct btf *base = set->nr_parts ? set->parts[0].btf : NULL;
	struct part part = { .module = xstrdup(module) };
	char *path = xasprintf("%s/%s", set->dir, *module ? module : "vmlinux");

	part.btf = base ? btf__parse_raw_split(path, base) : btf__parse_raw(path);
	free(path);
	if (libbpf_get_error(part.btf))
		part.btf = NULL;
	if (part.btf)
		index_functions(&part, base ? btf__type_cnt(base) : 1);
	set->parts = xrealloc(set->parts, (set->nr_parts + 1) * sizeof(*set->parts));
	set->parts[set->nr_parts++] = part;
}

struct btf_set *btf_open(const char *dir)
{
	struct btf_set *set = xrealloc(NULL, sizeof(*set));

	memset(set, 0, sizeof(*set));
	libbpf_set_print(keep_quiet);
	set->dir = xstrdup(dir);
	add_part(set, "");
	if (set->parts[0].btf)
		return set;
	btf_close(set);
	return NULL;
}

void btf_close(struct btf_set *set)
{
	if (!set)
		return;
	/* The base last: the others point into it. */
	while (set->nr_parts--) {
		btf__free(set->parts[set->nr_parts].btf);
		free(set->parts[set->nr_parts].slots);
		free(set->parts[set->nr_parts].module);
	}
	free(set->parts);
	free(set->dir);
	free(set);
}

static const struct part *part_of(struct btf_set *set, const char *module)
{
	for (size_t i = 0; i < set->nr_parts; i++)
		if (!strcmp(set->parts[i].module, module))
			return &set->parts[i];
	add_part(set, module);
	return &set->parts[set->nr_parts - 1];
}

static void read_all(struct btf_set *set)
{
	DIR *dir = set->has_all ? NULL : opendir(set->dir);
	struct dirent *entry;

	set->has_all = true;
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux"))
			part_of(set, entry->d_name);
	closedir(dir);
}

static int find_in(const struct part *part, const char *function, struct prototype *found, int room)
{
	uint32_t seen[8];
	int n = 0, i;

	for (uint32_t slot = hash(function) & part->mask; part->slots[slot];
	     slot = (slot + 1) & part->mask) {
		const struct btf_type *type = btf__type_by_id(part->btf, part->slots[slot]);
		const struct btf_type *proto;

		if (strcmp(name_of(part->btf, type), function))
			continue;
		proto = btf__type_by_id(part->btf, type->type);
		for (i = 0; i < n && i < 8 && seen[i] != type->type; i++)
			;
		if (!proto || !btf_is_func_proto(proto) || (i < n && i < 8))
			continue;
		if (n < 8)
			seen[n] = type->type;
		if (n < room)
			found[n] = (struct prototype){ part->btf, proto };
		n++;
	}
	return n;
}

int btf_find(struct btf_set *set, const char *function, const char *module, struct prototype *found,
	     int room)
{
	const struct part *part;
	int n = 0;

	if (module) {
		part = part_of(set, module);
		return part->btf ? find_in(part, function, found, room) : -1;
	}
	n = find_in(&set->parts[0], function, found, room);
	if (n)
		return n;
	read_all(set);
	for (size_t i = 1; i < set->nr_parts && !n; i++)
		if (set->parts[i].btf)
			n = find_in(&set->parts[i], function, found, room);
	return n;
}
