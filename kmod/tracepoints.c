// SPDX-License-Identifier: GPL-2.0
/* tracepoints.c - from a tracepoint's name to the tracepoint, for those that are not exported */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tracepoints.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void look_at(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

/**
 * tracepoint_named() - look a tracepoint of the kernel's own up, which stays where it is
 * @name: its name
 *
 * Return: the tracepoint; NULL if this kernel has none of the name.
 */
struct tracepoint *tracepoint_named(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(look_at, &search);
	return search.found;
}
