// SPDX-License-Identifier: GPL-2.0
/* probe_points.c - check which functions can be probed, pass the probe points to the module, and list them */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/files.h"
#include "probes/probe_points.h"
#include "probes/probe_table.h"
#include "probes/kernel_types.h"
#include "record_skb_refused.h"
#include "tracefs/tracer_users.h"
#include "module/module_client.h"

/* Maximum number of prototypes to check if several functions have the same name. */
#define PROTOTYPES 4

static int refuse_probe(struct err *err, const char *name, const char *why)
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
		return refuse_probe(err, point->func, "it has more than six arguments");
	case OBSTACLE_STRUCT:
		return refuse_probe(err, point->func, "it takes a structure by value");
	case OBSTACLE_VARARGS:
		return refuse_probe(err, point->func, "the number of its arguments varies");
	case OBSTACLE_RETURN:
		return refuse_probe(err, point->func,
				    "it returns a structure larger than a register");
	}
	/*
	 * Give the transmit function of a driver the same direction and flags as the module does. The module
	 * by itself probes the transmit functions of all devices that exist when the recording begins.
	 */
	if (prototype_is_transmit(prototype)) {
		point->dir = RECORD_SKB_DIR_TX;
		point->flags = 0;
	}
	if (prototype_find_packet(prototype, &point->kind, &point->arg))
		return 0;
	return refuse_probe(err, point->func,
			    "none of its arguments is a packet (struct sk_buff *), a "
			    "struct sock * or a struct socket *");
}

static int judge_types(const struct kernel *kernel, const struct function *function,
		       struct record_skb_point *point, struct err *err)
{
	struct prototype prototype;
	int n;

	if (!kernel->types)
		return refuse_probe(err, function->name,
				    "the types of its arguments are not known (this kernel has "
				    "no " BTF_DIR ")");
	n = btf_find(kernel->types, function->name, function->module, &prototype, 1);
	if (n == 1)
		return judge_prototype(&prototype, point, err);
	if (n > 1)
		return refuse_probe(err, function->name,
				    "there are several functions with this name, with different "
				    "arguments");
	if (n < 0)
		return err_set(err,
			       "%s cannot be a probe point: the types of its arguments are not "
			       "known, because its module %s has no BTF",
			       function->name, function->module);
	return refuse_probe(err, function->name,
			    "the kernel's BTF does not have the types of its arguments");
}

/* Return true if a BPF program can make the kernel skip the function. */
static bool is_skippable(const char *name)
{
	const size_t nr = sizeof(record_skb_skippable) / sizeof(record_skb_skippable[0]);

	for (size_t i = 0; i < nr; i++)
		if (!strncmp(name, record_skb_skippable[i], strlen(record_skb_skippable[i])))
			return true;
	return false;
}

/*
 * Make a probe point for a function of this kernel. If the built-in table has the function, use the table's
 * entry. The list of the kernel's functions must have been read. Returns 0, or -1 with one line in @err if
 * the function cannot be probed.
 */
static int point_from_function(const struct kernel *kernel, const struct function *function,
			       struct record_skb_point *point, struct err *err)
{
	const char *name = function->name;
	const struct probe_row *row = probe_table_find(name);
	char *holder;
	size_t n;

	if (function_is_variant(name))
		return refuse_probe(err, name,
				    "the compiler made it for some callers, with other arguments");
	if (function_is_tracing(name))
		return refuse_probe(err, name, "it is part of tracing");
	if (IS_ONE_OF(name, record_skb_own_calls))
		return refuse_probe(err, name, "the recording itself calls it");
	if (IS_ONE_OF(name, record_skb_no_sockets))
		return refuse_probe(err, name,
				    "its socket is not initialized yet, or may already be freed "
				    "in part");
	if (IS_ONE_OF(name, record_skb_no_packets))
		return refuse_probe(err, name,
				    "its struct sk_buff is not a packet yet, or is no longer a "
				    "packet");
	if (is_skippable(name))
		return refuse_probe(err, name,
				    "a BPF program can make the kernel skip it; use its caller");
	if (strlen(name) >= sizeof(point->func))
		return refuse_probe(err, name, "its name is too long");
	functions_find(&kernel->functions, name, &n);
	if (n > 1 && !row)
		return err_set(err,
			       "%s cannot be a probe point: there are %zu functions with this "
			       "name",
			       name, n);
	holder = ipmodify_user_of(&kernel->redirected, name);
	if (holder) {
		err_set(err, "%s cannot be a probe point: %s redirects it", name, holder);
		free(holder);
		return -1;
	}
	if (row) {
		point_fill(point, row, name);
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

/* Set @err to the reason why ftrace cannot trace the function @name. Returns -1. */
static int point_missing(const struct kernel *kernel, const char *name, struct err *err)
{
	const struct function *variant = functions_variant(&kernel->functions, name);

	if (variant)
		return err_set(
			err,
			"%s cannot be a probe point: this kernel has only its variant %s, which "
			"the compiler made for some callers, with other arguments",
			name, variant->name);
	if (in_kallsyms(name))
		return refuse_probe(err, name,
				    "ftrace cannot trace it (it is not in "
				    "available_filter_functions)");
	return err_set(err,
		       "this kernel has no function '%s' (it may be inlined, or its module may "
		       "not be loaded)",
		       name);
}

bool point_is_free(const struct kernel *kernel, const struct record_skb_point *point,
		   void (*say)(const char *text))
{
	char *holder = ipmodify_user_of(&kernel->redirected, point->func);
	char *text;

	if (!holder)
		return true;
	text = xasprintf("%s is left out: %s redirects it", point->func, holder);
	say(text);
	free(text);
	free(holder);
	return false;
}

void probe_globs_free(struct probe_globs *extra)
{
	free(extra->v);
	memset(extra, 0, sizeof(*extra));
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

static void add_probe(struct probe_globs *extra, const struct record_skb_point *point)
{
	for (size_t i = 0; i < extra->n; i++)
		if (!strcmp(extra->v[i].func, point->func))
			return;
	extra->v = xrealloc(extra->v, (extra->n + 1) * sizeof(*extra->v));
	extra->v[extra->n++] = *point;
}

static int add_function(struct probe_globs *extra, const struct kernel *kernel, const char *name,
			struct err *err)
{
	struct record_skb_point point;
	const struct function *function;
	size_t n;

	function = functions_find(&kernel->functions, name, &n);
	if (!function)
		return point_missing(kernel, name, err);
	if (point_from_function(kernel, function, &point, err))
		return -1;
	add_probe(extra, &point);
	return 0;
}

static void print_redirected(const struct kernel *kernel, const char *name,
			     void (*say)(const char *text))
{
	char *by = ipmodify_user_of(&kernel->redirected, name);
	char *text;

	if (!by)
		return;
	text = xasprintf("%s is left out: %s redirects it", name, by);
	say(text);
	free(text);
	free(by);
}

/*
 * Set @err to a message for a pattern that selects no probe point. @matches: number of functions that match
 * @pattern, none of which can be probed. @last: the reason for the last of these functions. Returns -1.
 */
static int no_match(const char *pattern, size_t matches, const struct err *last, struct err *err)
{
	if (!matches)
		return err_set(err, "no function of this kernel matches '%s'", pattern);
	if (matches == 1)
		return err_set(err, "%s", last->text);
	return err_set(err,
		       "none of the %zu functions that match '%s' can be a probe point; the "
		       "reason for the last one: %s",
		       matches, pattern, last->text);
}

/*
 * Return the first function from index *@i on that matches @pattern, and set *@i to the index after it.
 * Return NULL if there is none.
 */
static const struct function *next_match(const struct kernel *kernel, const char *pattern,
					 size_t *i)
{
	while (*i < kernel->functions.n) {
		const struct function *function = &kernel->functions.v[(*i)++];

		if (!fnmatch(pattern, function->name, 0))
			return function;
	}
	return NULL;
}

static int add_glob(struct probe_globs *extra, const struct kernel *kernel, const char *pattern,
		    void (*say)(const char *text), struct err *err)
{
	const struct function *function;
	struct record_skb_point point;
	size_t matches = 0, good = 0;
	struct err why;

	for (size_t i = 0; (function = next_match(kernel, pattern, &i)); matches++) {
		if (point_from_function(kernel, function, &point, &why)) {
			print_redirected(kernel, function->name, say);
			continue;
		}
		add_probe(extra, &point);
		good++;
	}
	return good ? 0 : no_match(pattern, matches, &why, err);
}

static int add_named(struct probe_globs *extra, struct kernel *kernel, const char *pattern,
		     void (*say)(const char *text), struct err *err)
{
	if (is_glob(pattern))
		return add_glob(extra, kernel, pattern, say, err);
	return add_function(extra, kernel, pattern, err);
}

int probe_globs_add(struct probe_globs *extra, struct kernel *kernel, const char *pattern,
		    void (*say)(const char *text), struct err *err)
{
	int ret;

	if (functions_read(&kernel->functions, err))
		return -1;
	ret = add_named(extra, kernel, pattern, say, err);
	if (!ret || !kernel->functions.is_kept)
		return ret;
	if (functions_read_again(&kernel->functions, err))
		return -1;
	return add_named(extra, kernel, pattern, say, err);
}

static void print_left_out(void (*say)(const char *text), const char *before, const char *name,
			   const char *after)
{
	char *text = xasprintf("%s%s%s: left out", before, name, after);

	say(text);
	free(text);
}

/*
 * Return true if the verdict on a packet can depend on the function in @row: the packet can end in this
 * function.
 */
static bool decides_verdict(const struct probe_row *row)
{
	return row->kind == RECORD_SKB_KIND_SKB && row->dir != RECORD_SKB_DIR_TX;
}

/*
 * Return true if every kernel has the function in @row. Functions of IPv6, for example, are missing in some
 * kernels.
 */
static bool is_everywhere(const struct probe_row *row)
{
	return row->flags & RECORD_SKB_POINT_RETURN;
}

/* Results of add_name(): the kernel has no such function, the function is not probed, or it is probed. */
enum { IS_MISSING, IS_LEFT_OUT, IS_POINT };

/*
 * Add a probe point for the function @name of @row. Returns IS_MISSING, IS_LEFT_OUT or IS_POINT, or -1 with
 * @err.
 */
static int add_name(int session, const struct probe_row *row, const char *name,
		    const struct kernel *kernel, struct strings *names,
		    void (*say)(const char *text), struct err *err)
{
	struct record_skb_point point;

	point_fill(&point, row, name);
	if (!point_is_free(kernel, &point, say))
		return IS_LEFT_OUT;
	switch (-session_add_point(session, &point)) {
	case 0:
	case EEXIST:
		strings_add(names, name);
		return IS_POINT;
	case ENOENT:
		return IS_MISSING;
	case EOPNOTSUPP:
		print_left_out(say, "", name, " cannot be traced on this kernel");
		return IS_LEFT_OUT;
	case EPROTOTYPE:
		print_left_out(say, "", name,
			       " has other arguments on this kernel than record-skb knows");
		return IS_LEFT_OUT;
	default:
		return err_set(err, "cannot use %s as a probe point: %s", name, strerror(errno));
	}
}

int probe_points_add_table(int session, bool follow, bool resets, const struct kernel *kernel,
			   struct strings *names, bool *lacks_points, void (*say)(const char *text),
			   struct err *err)
{
	const size_t before = names->n;

	*lacks_points = false;
	for (size_t i = 0; i < nr_probe_rows; i++) {
		const struct probe_row *row = &probe_table[i];
		bool here = false;

		if (row->follow && !follow && !(row->resets && resets))
			continue;
		for (const char *const *name = row->names; *name; name++) {
			const int ret = add_name(session, row, *name, kernel, names, say, err);

			if (ret < 0)
				return -1;
			here |= ret != IS_MISSING;
			*lacks_points |= ret == IS_LEFT_OUT && decides_verdict(row);
		}
		if (here || row->in_module)
			continue;
		print_left_out(say, "this kernel has no ", row->names[0], "");
		*lacks_points |= is_everywhere(row) && decides_verdict(row);
	}
	return names->n > before ? 0 : err_set(err, "this kernel has none of the probe points");
}

static int add_extra(int session, const struct record_skb_point *point, struct err *err)
{
	const int ret = session_add_point(session, point);

	switch (-ret) {
	case 0:
	case EEXIST: /* the function is a probe point already, because the built-in table has it */
		return 0;
	case ENOENT:
		return err_set(err, "%s does not exist any more: its module was unloaded",
			       point->func);
	case EOPNOTSUPP:
		return err_set(
			err,
			"%s cannot be a probe point: kprobes refuse it, so its address is not "
			"known",
			point->func);
	case EPROTOTYPE:
		return err_set(err,
			       "%s cannot be a probe point: according to the kernel's BTF, this "
			       "argument is neither a packet nor a socket",
			       point->func);
	case ENOSPC:
		return err_set(err,
			       "too many probe points: at most %d are possible; select "
			       "fewer with -g",
			       RECORD_SKB_MAX_POINTS);
	default:
		return err_set(err, "cannot use %s as a probe point: %s", point->func,
			       strerror(-ret));
	}
}

int probe_points_add_extra(int session, const struct probe_globs *extra, struct strings *names,
			   struct err *err)
{
	for (size_t i = 0; i < extra->n; i++) {
		if (add_extra(session, &extra->v[i], err))
			return -1;
		strings_add(names, extra->v[i].func);
	}
	return 0;
}

bool probe_points_add_xdp(int session, struct strings *names)
{
	const struct record_skb_point point = {
		.func = "bpf_dispatcher_xdp_func",
		.kind = RECORD_SKB_KIND_FRAME,
		.dir = RECORD_SKB_DIR_RX,
	};

	if (session_add_point(session, &point))
		return false;
	/* Otherwise, function_graph would be a second ftrace user of the function, which costs more. */
	if (session_graph_takes_calls(session))
		strings_add(names, point.func);
	return true;
}

static bool is_missing(const struct functions *functions, const char *name)
{
	size_t n;

	return functions && !functions_find(functions, name, &n);
}

void list_points_table(FILE *out, const struct functions *functions)
{
	if (!functions)
		fputs("# not known which of them this kernel has: that needs root, and ftrace\n",
		      out);
	for (size_t i = 0; i < nr_probe_rows; i++) {
		const struct probe_row *row = &probe_table[i];

		for (const char *const *name = row->names; *name; name++)
			fprintf(out, "%-32s %s  %-6s of argument %u%s%s\n", *name,
				point_dir_name(row->dir), point_kind_name(row->kind), row->arg,
				row->follow ? "  (with a command or -P)" : "",
				!is_missing(functions, *name) ? "" :
				row->in_module		      ? "  (its module is not loaded)" :
								"  (not in this kernel)");
	}
}

static void list_point(FILE *out, const struct record_skb_point *point, const char *module)
{
	fprintf(out, "%-32s %s  %-6s of argument %u%s%s%s%s\n", point->func,
		point_dir_name(point->dir), point_kind_name(point->kind), point->arg,
		*module ? "  [" : "", module, *module ? "]" : "",
		probe_table_find(point->func) ? "  (without -g too)" : "");
}

void list_points_extra(FILE *out, const struct probe_globs *extra)
{
	for (size_t i = 0; i < extra->n; i++)
		list_point(out, &extra->v[i], "");
}

int list_points_glob(FILE *out, const struct kernel *kernel, const char *pattern, struct err *err)
{
	const struct function *function;
	struct record_skb_point point;
	size_t matches = 0, refused = 0;
	struct err why;

	for (size_t i = 0; (function = next_match(kernel, pattern, &i)); matches++) {
		if (point_from_function(kernel, function, &point, &why))
			refused++;
		else
			list_point(out, &point, function->module);
	}
	if (!matches && !is_glob(pattern))
		return point_missing(kernel, pattern, err);
	if (matches == refused)
		return no_match(pattern, matches, &why, err);
	if (refused)
		fprintf(out,
			"# %zu more functions match and cannot be probe points; name one of them "
			"to see the reason\n",
			refused);
	return 0;
}
