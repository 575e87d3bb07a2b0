// SPDX-License-Identifier: GPL-2.0
/* -g FUNC, and --list-points=FUNC which says what that would come to. */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "candidate.h"
#include "held.h"
#include "points.h"
#include "session.h"
#include "wanted.h"

void wanted_free(struct wanted *wanted)
{
	free(wanted->v);
	memset(wanted, 0, sizeof(*wanted));
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

static void add(struct wanted *wanted, const struct record_skb_point *point)
{
	for (size_t i = 0; i < wanted->n; i++)
		if (!strcmp(wanted->v[i].func, point->func))
			return;
	wanted->v = xrealloc(wanted->v, (wanted->n + 1) * sizeof(*wanted->v));
	wanted->v[wanted->n++] = *point;
}

static int add_name(struct wanted *wanted, const struct kernel *kernel, const char *name,
		    struct err *err)
{
	struct record_skb_point point;
	const struct function *function;
	size_t n;

	function = functions_find(&kernel->functions, name, &n);
	if (!function)
		return candidate_missing(kernel, name, err);
	if (candidate_judge(kernel, function, &point, err))
		return -1;
	add(wanted, &point);
	return 0;
}

static void say_held(const struct kernel *kernel, const char *name, void (*say)(const char *text))
{
	char *holder = held_by(&kernel->held, name);
	char *text;

	if (!holder)
		return;
	text = xasprintf("%s is held by %s: left out", name, holder);
	say(text);
	free(text);
	free(holder);
}

static int none_of(size_t matches, const char *pattern, const struct err *why, struct err *err)
{
	if (!matches)
		return err_set(err, "no function of this kernel matches '%s'", pattern);
	if (matches == 1)
		return err_set(err, "%s", why->text);
	return err_set(err, "none of the %zu functions that match '%s' can be a probe point; the last "
		       "one: %s", matches, pattern, why->text);
}

static int add_glob(struct wanted *wanted, const struct kernel *kernel, const char *pattern,
		    void (*say)(const char *text), struct err *err)
{
	struct record_skb_point point;
	size_t matches = 0, good = 0;
	struct err why;

	for (size_t i = 0; i < kernel->functions.n; i++) {
		const struct function *function = &kernel->functions.v[i];

		if (fnmatch(pattern, function->name, 0))
			continue;
		matches++;
		if (candidate_judge(kernel, function, &point, &why)) {
			say_held(kernel, function->name, say);
			continue;
		}
		add(wanted, &point);
		good++;
	}
	return good ? 0 : none_of(matches, pattern, &why, err);
}

int wanted_add(struct wanted *wanted, struct kernel *kernel, const char *pattern,
	       void (*say)(const char *text), struct err *err)
{
	if (functions_read(&kernel->functions, kernel->tracefs, err))
		return -1;
	if (is_glob(pattern))
		return add_glob(wanted, kernel, pattern, say, err);
	return add_name(wanted, kernel, pattern, err);
}

static int ask(const struct record_skb_point *point, int session, struct err *err)
{
	const int ret = session_add_point(session, point);

	switch (ret) {
	case 0:
	case -EEXIST:	/* of the table too */
		return 0;
	case -ENOENT:
		return err_set(err, "%s has gone meanwhile: its module was unloaded", point->func);
	case -EOPNOTSUPP:
		return err_set(err, "%s cannot be a probe point: kprobes refuse it, so its address cannot "
			       "be looked up", point->func);
	case -ENOSPC:
		return err_set(err, "too many probe points: %d at most; name fewer with -g",
			       RECORD_SKB_MAX_POINTS);
	default:
		return err_set(err, "cannot use %s as a probe point: %s", point->func, strerror(-ret));
	}
}

int wanted_ask(const struct wanted *wanted, int session, struct strings *names, struct err *err)
{
	for (size_t i = 0; i < wanted->n; i++) {
		if (ask(&wanted->v[i], session, err))
			return -1;
		strings_add(names, wanted->v[i].func);
	}
	return 0;
}

void wanted_show_point(FILE *out, const struct record_skb_point *point, const char *module)
{
	fprintf(out, "%-32s %s  %-6s of argument %u%s%s%s%s\n", point->func,
		point_dir_name(point->dir), point_kind_name(point->kind), point->arg,
		*module ? "  [" : "", module, *module ? "]" : "",
		place_find(point->func) ? "  (without -g too)" : "");
}

int wanted_show(FILE *out, struct kernel *kernel, const char *pattern, struct err *err)
{
	struct record_skb_point point;
	size_t matches = 0, bad = 0;
	struct err why;

	if (functions_read(&kernel->functions, kernel->tracefs, err))
		return -1;
	for (size_t i = 0; i < kernel->functions.n; i++) {
		const struct function *function = &kernel->functions.v[i];

		if (fnmatch(pattern, function->name, 0))
			continue;
		matches++;
		if (candidate_judge(kernel, function, &point, &why))
			bad++;
		else
			wanted_show_point(out, &point, function->module);
	}
	if (!matches && !is_glob(pattern))
		return candidate_missing(kernel, pattern, err);
	if (matches == bad)
		return none_of(matches, pattern, &why, err);
	if (bad)
		fprintf(out, "# %zu more match and cannot be probe points; name one to be told why\n", bad);
	return 0;
}
