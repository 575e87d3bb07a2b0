// SPDX-License-Identifier: GPL-2.0
/* Print probe points: the table's, those of -g, and those that a glob could be. */
#include <fnmatch.h>
#include <stdbool.h>

#include "list-points.h"
#include "point-check.h"
#include "point-table.h"

static bool is_missing(const struct functions *functions, const char *name)
{
	size_t n;

	return functions && !functions_find(functions, name, &n);
}

void list_points_table(FILE *out, const struct functions *functions)
{
	if (!functions)
		fputs("# which of them this kernel has, only root can see\n", out);
	for (size_t i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];

		for (const char *const *name = place->names; *name; name++)
			fprintf(out, "%-32s %s  %-6s of argument %u%s%s\n", *name,
				point_dir_name(place->dir), point_kind_name(place->kind),
				place->arg, place->follow ? "  (with a command or -P)" : "",
				!is_missing(functions, *name) ? "" :
				place->in_module	      ? "  (its module is not loaded)" :
								"  (not in this kernel)");
	}
}

static void list_point(FILE *out, const struct record_skb_point *point, const char *module)
{
	fprintf(out, "%-32s %s  %-6s of argument %u%s%s%s%s\n", point->func,
		point_dir_name(point->dir), point_kind_name(point->kind), point->arg,
		*module ? "  [" : "", module, *module ? "]" : "",
		place_find(point->func) ? "  (without -g too)" : "");
}

void list_points_extra(FILE *out, const struct extra_points *extra)
{
	for (size_t i = 0; i < extra->n; i++)
		list_point(out, &extra->v[i], "");
}

int list_points_glob(FILE *out, const struct kernel *kernel, const char *pattern, struct err *err)
{
	struct record_skb_point point;
	size_t matches = 0, refused = 0;
	struct err why;

	for (size_t i = 0; i < kernel->functions.n; i++) {
		const struct function *function = &kernel->functions.v[i];

		if (fnmatch(pattern, function->name, 0))
			continue;
		matches++;
		if (point_from_function(kernel, function, &point, &why))
			refused++;
		else
			list_point(out, &point, function->module);
	}
	if (!matches && !extra_points_is_glob(pattern))
		return point_missing(kernel, pattern, err);
	if (matches == refused)
		return extra_points_none(pattern, matches, &why, err);
	if (refused)
		fprintf(out,
			"# %zu more match and cannot be probe points; name one to be told why\n",
			refused);
	return 0;
}
