/* SPDX-License-Identifier: GPL-2.0 */
/*
 * changes.h - compare the profiles of two recordings
 *
 * In another kernel, a function may have another name, or may be inlined or split. Therefore, if the kernels
 * differ, a function that only one recording has is not compared. Its time is added to the nearest caller
 * that is in both recordings, and the times of this caller are compared.
 */
#ifndef _RECORD_SKB_CHANGES_H
#define _RECORD_SKB_CHANGES_H

#include "model/median.h"
#include "model/packet_profile.h"

/**
 * struct change - a function, step or delay in both recordings
 * @kind: enum part_kind
 * @what: for functions, index into struct changes.names; for steps, the number of the step; for delays, enum
 *	delay_kind
 * @packets: number of compared packets that have this function, step or delay
 * @calls: average number of calls or occurrences per packet
 * @mean: average time per packet, in ns
 * @median: median time, in ns, of the packets that have this function, step or delay
 * @error: error of the difference of the medians, in ns; negative if it is not known
 */
struct change {
	uint8_t kind;
	uint32_t what;
	uint32_t packets[2];
	double calls[2], mean[2];
	struct median median[2];
	double error;
};

/**
 * struct function_name - the name of a function in one recording or in both
 * @text: the name; if the kernels differ, names are compared without a suffix that the compiler added
 * @len: length of the name
 * @in: true for each recording that has a function with this name
 */
struct function_name {
	const char *text;
	int len;
	bool in[2];
};

/**
 * struct changes - the comparison
 * @profiles: profiles of both recordings, which the caller owns
 * @is_other_kernel: the kernels differ
 * @names: names of functions, sorted
 * @nr_names: number of elements in @names
 * @own: for each recording and each node of its tree, the name of the function
 * @counted_in: for each recording and each node, the name of the function to which the time of the node is
 *	added
 * @changes: all changes. The largest difference of medians comes first; differences that are smaller than
 *	their error come last
 * @nr: number of elements in @changes
 */
struct changes {
	const struct profile *profiles;
	bool is_other_kernel;
	struct function_name *names;
	uint32_t nr_names;
	uint32_t *own[2], *counted_in[2];
	struct change *changes;
	uint32_t nr;
};

/*
 * Compare two profiles. Return: 0; -1 if there is not enough memory. The caller must call changes_free() in
 * both cases.
 */
int changes_find(struct changes *changes, const struct profile profiles[2], bool is_other_kernel);
void changes_free(struct changes *changes);

/* Return: the change of the median, in ns. */
double change_of_median(const struct change *change);
/* Return: true if the change of the median is larger than its error. */
bool change_is_certain(const struct change *change);

/*
 * Return: the step with the largest change of the median. Changes that are not larger than their error do not
 * count. NULL if no step has such a change.
 */
const struct change *changes_largest_step(const struct changes *changes);
/*
 * Find the function that changed most in a step. This is the function in the step with the
 * largest change of the median in the same direction as the step.
 *
 * Return: true if *@function was set.
 */
bool changes_largest_function(const struct changes *changes, const struct change *step,
			      struct change *function);
/*
 * Return: true if the change of a function may be called a part of the change of its step. All packets
 * that have the step must have the function, because medians of different packets cannot be compared.
 */
bool change_is_part(const struct change *function, const struct change *step);

#endif
