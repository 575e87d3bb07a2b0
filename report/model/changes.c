// SPDX-License-Identifier: GPL-2.0
/* changes.c - compare the profiles of two recordings */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/changes.h"

/*
 * The times of a function, step or delay in both recordings. Each packet that has the function, step or delay
 * adds one value.
 */
struct row {
	struct change change;
	uint64_t *values[2];
	uint32_t nr[2], capacity[2];
	uint32_t packet[2]; /* the packet that has added the last value, from 1; 0 for none */
};

static int compare_names(const void *a, const void *b)
{
	const struct function_name *x = a, *y = b;
	const int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : x->len - y->len;
}

static struct function_name name_at(const struct changes *changes, int side, uint32_t node)
{
	const struct name *name = call_tree_name(changes->profiles[side].tree, node);
	struct function_name found = { .text = name->text, .len = strlen(name->text) };

	/*
	 * The compiler creates variants of functions, such as "ip_rcv_core.constprop.0". If the kernels
	 * differ, compare the names without such a suffix.
	 */
	if (changes->is_other_kernel)
		found.len = strcspn(name->text, ".");
	found.in[side] = true;
	return found;
}

static int collect_names(struct changes *changes)
{
	const uint32_t sizes[2] = { call_tree_size(changes->profiles[0].tree),
				    call_tree_size(changes->profiles[1].tree) };
	struct function_name *names = calloc((size_t)sizes[0] + sizes[1], sizeof(*names));
	uint32_t n = 0, unique = 0;

	if (!names)
		return -1;
	for (int side = 0; side < 2; side++) {
		for (uint32_t node = 1; node < sizes[side]; node++)
			names[n++] = name_at(changes, side, node);
	}
	qsort(names, n, sizeof(*names), compare_names);
	for (uint32_t i = 0; i < n; i++) {
		if (!unique || compare_names(&names[unique - 1], &names[i]))
			names[unique++] = names[i];
		names[unique - 1].in[0] |= names[i].in[0];
		names[unique - 1].in[1] |= names[i].in[1];
	}
	changes->names = names;
	changes->nr_names = unique;
	return 0;
}

/*
 * Set the name of each node. A single pass is enough, because a caller has a smaller index than the functions
 * that it calls.
 */
static int name_nodes(struct changes *changes, int side)
{
	const struct call_tree *tree = changes->profiles[side].tree;
	const uint32_t size = call_tree_size(tree);
	uint32_t *own = calloc(size, sizeof(*own)), *counted_in = calloc(size, sizeof(*counted_in));

	changes->own[side] = own;
	changes->counted_in[side] = counted_in;
	if (!own || !counted_in)
		return -1;
	for (uint32_t node = 1; node < size; node++) {
		const uint32_t caller = call_tree_parent(tree, node);
		const struct function_name key = name_at(changes, side, node);
		const struct function_name *name = bsearch(&key, changes->names, changes->nr_names,
							   sizeof(key), compare_names);
		const bool is_own = !changes->is_other_kernel || !caller ||
				    (name->in[0] && name->in[1]);

		own[node] = name - changes->names;
		counted_in[node] = is_own ? own[node] : counted_in[caller];
	}
	return 0;
}

static struct row *row_of(struct table *rows, uint8_t kind, uint32_t what)
{
	const struct table_key key = { .number = (uint64_t)kind << 32 | what };
	struct row *row = table_find(rows, key);

	if (row)
		return row;
	row = table_add(rows, key, calloc(1, sizeof(*row)));
	if (row) {
		row->change.kind = kind;
		row->change.what = what;
	}
	return row;
}

/* Add a time of a packet. If the packet already has a time in this row, add both times up. */
static int add_value(struct row *row, int side, uint32_t packet, uint64_t ns)
{
	uint64_t *values = row->values[side];

	if (row->packet[side] == packet) {
		values[row->nr[side] - 1] += ns;
		return 0;
	}
	if (row->nr[side] == row->capacity[side]) {
		const uint32_t capacity = row->capacity[side] ? 2 * row->capacity[side] : 16;

		values = realloc(values, capacity * sizeof(*values));
		if (!values)
			return -1;
		row->values[side] = values;
		row->capacity[side] = capacity;
	}
	row->packet[side] = packet;
	values[row->nr[side]++] = ns;
	return 0;
}

static int add_part(const struct changes *changes, struct table *rows, int side, uint32_t packet,
		    const struct part *part)
{
	const double share = 1.0 / changes->profiles[side].nr;
	const bool is_function = part->kind == PART_FUNCTION;
	const uint32_t what = is_function	      ? changes->counted_in[side][part->what] :
			      part->kind == PART_STEP ? part->step :
							part->what;
	struct row *row = row_of(rows, part->kind, what);

	if (!row || add_value(row, side, packet, part->ns))
		return -1;
	row->change.mean[side] += part->ns * share;
	if (!is_function || changes->own[side][part->what] == what)
		row->change.calls[side] += share;
	return 0;
}

/*
 * Add the times of all functions, steps and delays of a profile. If @step is not 0, add only the functions in
 * this step.
 */
static int add_profile(const struct changes *changes, struct table *rows, int side, uint16_t step)
{
	const struct profile *profile = &changes->profiles[side];

	for (uint32_t i = 0; i < profile->nr; i++) {
		const struct profiled_packet *packet = &profile->packets[i];

		for (uint32_t j = 0; j < packet->nr; j++) {
			const struct part *part = &packet->parts[j];

			if (step && (part->kind != PART_FUNCTION || part->step != step))
				continue;
			if (add_part(changes, rows, side, i + 1, part))
				return -1;
		}
	}
	return 0;
}

double change_of_median(const struct change *change)
{
	return change->median[1].value - change->median[0].value;
}

bool change_is_certain(const struct change *change)
{
	return change->error >= 0 && fabs(change_of_median(change)) > change->error;
}

static int by_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	const bool is_certain = change_is_certain(x);
	double of_x = fabs(change_of_median(x)), of_y = fabs(change_of_median(y));

	if (is_certain != change_is_certain(y))
		return is_certain ? -1 : 1;
	if (!is_certain) {
		of_x = fabs(x->mean[1] - x->mean[0]);
		of_y = fabs(y->mean[1] - y->mean[0]);
	}
	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return x->kind != y->kind ? x->kind - y->kind : (x->what > y->what) - (x->what < y->what);
}

static void free_rows(struct table *rows)
{
	struct row *row;
	size_t i = 0;

	while ((row = table_next(rows, &i))) {
		free(row->values[0]);
		free(row->values[1]);
	}
	table_free(rows);
}

/*
 * Return: the sorted changes of all functions, steps and delays; NULL if there is not enough memory. If @step
 * is not 0, return only the changes of the functions in this step.
 */
static struct change *compare_profiles(const struct changes *changes, uint16_t step, uint32_t *nr)
{
	struct table rows = { NULL };
	struct change *found = NULL;
	struct row *row;
	size_t i = 0;

	*nr = 0;
	if (!add_profile(changes, &rows, 0, step) && !add_profile(changes, &rows, 1, step))
		found = calloc(rows.nr + 1, sizeof(*found));
	while (found && (row = table_next(&rows, &i))) {
		struct change *change = &found[(*nr)++];

		*change = row->change;
		for (int side = 0; side < 2; side++) {
			change->packets[side] = row->nr[side];
			change->median[side] = median_of(row->values[side], row->nr[side]);
		}
		change->error = median_difference_error(&change->median[0], &change->median[1]);
	}
	free_rows(&rows);
	if (found)
		qsort(found, *nr, sizeof(*found), by_change);
	return found;
}

int changes_find(struct changes *changes, const struct profile profiles[2], bool is_other_kernel)
{
	*changes = (struct changes){ .profiles = profiles, .is_other_kernel = is_other_kernel };
	if (collect_names(changes) || name_nodes(changes, 0) || name_nodes(changes, 1))
		return -1;
	changes->changes = compare_profiles(changes, 0, &changes->nr);
	return changes->changes ? 0 : -1;
}

void changes_free(struct changes *changes)
{
	free(changes->names);
	free(changes->changes);
	for (int side = 0; side < 2; side++) {
		free(changes->own[side]);
		free(changes->counted_in[side]);
	}
}

const struct change *changes_largest_step(const struct changes *changes)
{
	for (uint32_t i = 0; i < changes->nr && change_is_certain(&changes->changes[i]); i++) {
		if (changes->changes[i].kind == PART_STEP)
			return &changes->changes[i];
	}
	return NULL;
}

bool changes_largest_function(const struct changes *changes, const struct change *step,
			      struct change *function)
{
	uint32_t nr;
	struct change *found = compare_profiles(changes, step->what, &nr);
	bool is_found = false;

	for (uint32_t i = 0; i < nr && change_is_certain(&found[i]) && !is_found; i++) {
		is_found = (change_of_median(&found[i]) > 0) == (change_of_median(step) > 0);
		*function = found[i];
	}
	free(found);
	return is_found;
}

bool change_is_part(const struct change *function, const struct change *step)
{
	return function->packets[0] == step->packets[0] &&
	       function->packets[1] == step->packets[1] &&
	       fabs(change_of_median(function)) <= fabs(change_of_median(step));
}
