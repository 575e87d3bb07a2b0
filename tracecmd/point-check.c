// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "held.h"
#include "point-check.h"
#include "prototype.h"

/* Functions of one name with different arguments: more than that nobody looks at. */
#define PROTOTYPES	4

static bool argument_fits(const struct prototype *p, const struct record_skb_point *point)
{
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		return prototype_points_to(p, point->arg, "sk_buff");
	case RECORD_SKB_KIND_LIST:
		return prototype_points_to(p, point->arg, "list_head");
	case RECORD_SKB_KIND_SOCK:
		return prototype_points_to(p, point->arg, "sock");
	case RECORD_SKB_KIND_SOCKET:
		return prototype_points_to(p, point->arg, "socket");
	case RECORD_SKB_KIND_KIOCB:
		return prototype_points_to(p, point->arg, "kiocb");
	case RECORD_SKB_KIND_FD:
	case RECORD_SKB_KIND_FAMILY:
		return prototype_is_int(p, point->arg);
	}
	return false;
}

/* The peer is read from the argument after it; newer kernels know how long theirs is. */
static bool peer_fits(const struct prototype *p, const struct record_skb_point *point)
{
	const unsigned int next = point->arg + 1;

	if (point->flags & RECORD_SKB_POINT_MSG)
		return prototype_points_to(p, next, "msghdr");
	if (point->flags & RECORD_SKB_POINT_PEER)
		return prototype_points_to(p, next, "sockaddr") ||
		       prototype_points_to(p, next, "sockaddr_unsized");
	return true;
}

/* Which of several functions of one name the module gets is not known: then one that fits is enough. */
static bool fits(struct btf_set *types, const struct record_skb_point *point)
{
	struct prototype found[PROTOTYPES];
	int n = btf_find(types, point->func, NULL, found, PROTOTYPES);

	if (n <= 0)
		return true;
	for (int i = 0; i < n && i < PROTOTYPES; i++)
		if (prototype_obstacle(&found[i]) == OBSTACLE_NONE &&
		    argument_fits(&found[i], point) && peer_fits(&found[i], point))
			return true;
	return false;
}

bool point_check(const struct kernel *kernel, const struct record_skb_point *point,
		 void (*say)(const char *text))
{
	char *holder = held_by(&kernel->held, point->func);
	char *text = NULL;

	if (holder)
		text = xasprintf("%s is held by %s: left out", point->func, holder);
	else if (kernel->types && !fits(kernel->types, point))
		text = xasprintf("%s has other arguments on this kernel than record-skb knows: left out",
				 point->func);
	if (text)
		say(text);
	free(text);
	free(holder);
	return !text;
}
