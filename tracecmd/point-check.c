// SPDX-License-Identifier: GPL-2.0
/* Whether a function can be a probe point on this kernel, and why not. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "point-check.h"
#include "point-table.h"
#include "prototype.h"
#include "record_skb_refused.h"
#include "redirected.h"

/* Functions of one name with different arguments: more than that nobody looks at. */
#define PROTOTYPES 4

static int refuse(struct err *err, const char *name, const char *why)
{
	return err_set(err, "%s cannot be a probe point: %s", name, why);
}

#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof(*(names)))

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int judge_prototype(const struct prototype *prototype, struct record_skb_point *point,
			   struct err *err)
{
	switch (prototype_obstacle(prototype)) {
	case OBSTACLE_NONE:
		break;
	case OBSTACLE_MANY:
		return refuse(err, point->func, "it has more than six arguments");
	case OBSTACLE_STRUCT:
		return refuse(err, point->func, "it takes a structure by value");
	case OBSTACLE_VARARGS:
		return refuse(err, point->func, "the number of its arguments varies");
	case OBSTACLE_RETURN:
		return refuse(err, point->func, "it returns a structure larger than a register");
	}
	/* The module has these as points by itself, if a device is there, and as just this. */
	if (prototype_is_transmit(prototype)) {
		point->dir = RECORD_SKB_DIR_TX;
		point->flags = 0;
	}
	if (prototype_find_packet(prototype, &point->kind, &point->arg))
		return 0;
	return refuse(err, point->func,
		      "none of its arguments is a packet (struct sk_buff *), a "
		      "struct sock * or a struct socket *");
}

static int judge_types(const struct kernel *kernel, const struct function *function,
		       struct record_skb_point *point, struct err *err)
{
	struct prototype prototype;
	int n;

	if (!kernel->types)
		return refuse(err, function->name,
			      "this kernel does not say what its arguments are (it "
			      "has no " BTF_DIR ")");
	n = btf_find(kernel->types, function->name, function->module, &prototype, 1);
	if (n == 1)
		return judge_prototype(&prototype, point, err);
	if (n > 1)
		return refuse(err, function->name,
			      "there are several functions of that name, with "
			      "different arguments");
	if (n < 0)
		return err_set(err,
			       "%s cannot be a probe point: its module %s does not say what its "
			       "arguments are (it has no BTF)",
			       function->name, function->module);
	return refuse(err, function->name, "the kernel's BTF does not say what its arguments are");
}

int point_from_function(const struct kernel *kernel, const struct function *function,
			struct record_skb_point *point, struct err *err)
{
	const char *name = function->name;
	const struct place *place = place_find(name);
	char *holder;
	size_t n;

	if (function_is_variant(name))
		return refuse(err, name,
			      "the compiler made it for some callers, with other arguments");
	if (function_is_tracing(name))
		return refuse(err, name, "it is part of the tracing itself");
	if (IS_ONE_OF(name, record_skb_own_calls))
		return refuse(err, name, "the recording itself calls it");
	if (IS_ONE_OF(name, record_skb_no_sockets))
		return refuse(err, name, "its socket is not made yet, or may be gone in part");
	if (IS_ONE_OF(name, record_skb_no_packets))
		return refuse(err, name, "its struct sk_buff is not a packet yet, or no longer");
	if (strlen(name) >= sizeof(point->func))
		return refuse(err, name, "its name is too long");
	functions_find(&kernel->functions, name, &n);
	if (n > 1 && !place)
		return err_set(err,
			       "%s cannot be a probe point: there are %zu functions of that name",
			       name, n);
	holder = redirected_by(&kernel->redirected, name);
	if (holder) {
		err_set(err, "%s cannot be a probe point: it is redirected by %s", name, holder);
		free(holder);
		return -1;
	}
	if (place) {
		point_fill(point, place, name);
		return 0;
	}
	memset(point, 0, sizeof(*point));
	strcpy(point->func, name);
	point->dir = RECORD_SKB_DIR_NONE;
	point->flags = RECORD_SKB_POINT_NO_DEV;
	return judge_types(kernel, function, point, err);
}

static bool in_kallsyms(const char *name)
{
	char *text = file_read("/proc/kallsyms");
	char *line = xasprintf(" %s", name);
	const size_t n = strlen(line);
	bool found = false;

	for (const char *p = text; p && !found && (p = strstr(p, line)); p += n)
		found = !p[n] || p[n] == '\n' || p[n] == '\t';
	free(line);
	free(text);
	return found;
}

int point_missing(const struct kernel *kernel, const char *name, struct err *err)
{
	const struct function *variant = functions_variant(&kernel->functions, name);

	if (variant)
		return err_set(
			err,
			"%s cannot be a probe point: of it this kernel has only %s, which the "
			"compiler made for some callers, with other arguments",
			name, variant->name);
	if (in_kallsyms(name))
		return refuse(err, name,
			      "ftrace cannot trace it (it is not among "
			      "available_filter_functions)");
	return err_set(err,
		       "there is no function '%s' in this kernel (inlined ones are none, and a "
		       "module's are there when it is loaded)",
		       name);
}
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

bool point_fits(const struct kernel *kernel, const struct record_skb_point *point,
		void (*say)(const char *text))
{
	char *holder = redirected_by(&kernel->redirected, point->func);
	char *text = NULL;

	if (holder)
		text = xasprintf("%s is redirected by %s: left out", point->func, holder);
	else if (kernel->types && !fits(kernel->types, point))
		text = xasprintf(
			"%s has other arguments on this kernel than record-skb knows: left out",
			point->func);
	if (text)
		say(text);
	free(text);
	free(holder);
	return !text;
}
