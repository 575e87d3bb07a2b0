// SPDX-License-Identifier: GPL-2.0
/* Ask the module for probe points. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "point-check.h"
#include "point-table.h"
#include "probe-points.h"
#include "session.h"

static void say_left_out(void (*say)(const char *text), const char *before, const char *name,
			 const char *after)
{
	char *text = xasprintf("%s%s%s: left out", before, name, after);

	say(text);
	free(text);
}

/* What became of a packet that ends is concluded from the function that had it at last, or was given it. */
static bool decides(const struct place *place)
{
	return place->kind == RECORD_SKB_KIND_SKB && place->dir != RECORD_SKB_DIR_TX;
}

/* Of all kernels; there are some without IPv6. */
static bool is_everywhere(const struct place *place)
{
	return place->flags & RECORD_SKB_POINT_RETURN;
}

/* What there is of a function. */
enum { IS_MISSING, IS_LEFT_OUT, IS_POINT };

/* Returns one of these, or -1 with @err. */
static int add_name(int session, const struct place *place, const char *name,
		    const struct kernel *kernel, struct strings *names,
		    void (*say)(const char *text), struct err *err)
{
	struct record_skb_point point;

	point_fill(&point, place, name);
	if (!point_fits(kernel, &point, say))
		return IS_LEFT_OUT;
	switch (-session_add_point(session, &point)) {
	case 0:
	case EEXIST:
		strings_add(names, name);
		return IS_POINT;
	case ENOENT:
		return IS_MISSING;
	case EOPNOTSUPP:
		say_left_out(say, "", name, " cannot be traced here");
		return IS_LEFT_OUT;
	case EPROTOTYPE:
		say_left_out(say, "", name,
			     " has other arguments on this kernel than record-skb knows");
		return IS_LEFT_OUT;
	default:
		return err_set(err, "cannot use %s as a probe point: %s", name, strerror(errno));
	}
}

int probe_points_add_table(int session, bool follow, const struct kernel *kernel,
			   struct strings *names, bool *lacks_points, void (*say)(const char *text),
			   struct err *err)
{
	const size_t before = names->n;

	*lacks_points = false;
	for (size_t i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];
		bool here = false;

		if (place->follow && !follow)
			continue;
		for (const char *const *name = place->names; *name; name++) {
			const int ret = add_name(session, place, *name, kernel, names, say, err);

			if (ret < 0)
				return -1;
			here |= ret != IS_MISSING;
			*lacks_points |= ret == IS_LEFT_OUT && decides(place);
		}
		if (here || place->in_module)
			continue;
		say_left_out(say, "this kernel has no ", place->names[0], "");
		*lacks_points |= is_everywhere(place) && decides(place);
	}
	return names->n > before ? 0 : err_set(err, "this kernel has none of the probe points");
}

static int add_extra(int session, const struct record_skb_point *point, struct err *err)
{
	const int ret = session_add_point(session, point);

	switch (-ret) {
	case 0:
	case EEXIST: /* of the table too */
		return 0;
	case ENOENT:
		return err_set(err, "%s is gone: its module was unloaded meanwhile", point->func);
	case EOPNOTSUPP:
		return err_set(
			err,
			"%s cannot be a probe point: kprobes refuse it, so its address cannot "
			"be looked up",
			point->func);
	case EPROTOTYPE:
		return err_set(
			err,
			"%s cannot be a probe point: the kernel does not say that it is given a "
			"packet or a socket there",
			point->func);
	case ENOSPC:
		return err_set(err, "too many probe points: %d at most; name fewer with -g",
			       RECORD_SKB_MAX_POINTS);
	default:
		return err_set(err, "cannot use %s as a probe point: %s", point->func,
			       strerror(-ret));
	}
}

int probe_points_add_extra(int session, const struct extra_points *extra, struct strings *names,
			   struct err *err)
{
	for (size_t i = 0; i < extra->n; i++) {
		if (add_extra(session, &extra->v[i], err))
			return -1;
		strings_add(names, extra->v[i].func);
	}
	return 0;
}
