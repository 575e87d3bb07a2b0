// SPDX-License-Identifier: GPL-2.0
/* -g FUNC: probe points beside the table's. */
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "extra-points.h"
#include "point-check.h"
#include "redirected.h"

void extra_points_free(struct extra_points *extra)
{
	free(extra->v);
	memset(extra, 0, sizeof(*extra));
}

bool extra_points_is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

static void add(struct extra_points *extra, const struct record_skb_point *point)
{
	for (size_t i = 0; i < extra->n; i++)
		if (!strcmp(extra->v[i].func, point->func))
			return;
	extra->v = xrealloc(extra->v, (extra->n + 1) * sizeof(*extra->v));
	extra->v[extra->n++] = *point;
}

static int add_name(struct extra_points *extra, const struct kernel *kernel, const char *name,
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
	add(extra, &point);
	return 0;
}

static void say_redirected(const struct kernel *kernel, const char *name,
			   void (*say)(const char *text))
{
	char *by = redirected_by(&kernel->redirected, name);
	char *text;

	if (!by)
		return;
	text = xasprintf("%s is redirected by %s: left out", name, by);
	say(text);
	free(text);
	free(by);
}

int extra_points_none(const char *pattern, size_t matches, const struct err *last, struct err *err)
{
	if (!matches)
		return err_set(err, "no function of this kernel matches '%s'", pattern);
	if (matches == 1)
		return err_set(err, "%s", last->text);
	return err_set(err,
		       "none of the %zu functions that match '%s' can be a probe point; the last "
		       "one: %s",
		       matches, pattern, last->text);
}

static int add_glob(struct extra_points *extra, const struct kernel *kernel, const char *pattern,
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
		if (point_from_function(kernel, function, &point, &why)) {
			say_redirected(kernel, function->name, say);
			continue;
		}
		add(extra, &point);
		good++;
	}
	return good ? 0 : extra_points_none(pattern, matches, &why, err);
}

int extra_points_add(struct extra_points *extra, struct kernel *kernel, const char *pattern,
		     void (*say)(const char *text), struct err *err)
{
	if (functions_read(&kernel->functions, err))
		return -1;
	if (extra_points_is_glob(pattern))
		return add_glob(extra, kernel, pattern, say, err);
	return add_name(extra, kernel, pattern, err);
}
