/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_LOSSES_H
#define _REPORT_SKB_LOSSES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct loss - rows that a CPU's buffer had no room for, or that somebody else has read
 * @cpu: which; -1 for those that somebody else has, of any
 * @from: time of the last row before them, 0 if there is none
 * @to: time of the first row after them
 * @count: how many, 0 if not known
 */
struct loss {
	int cpu;
	uint64_t from, to;
	uint64_t count;
};

struct losses {
	struct loss *v;
	size_t n;
	uint64_t total;	  /* of those that are counted */
	int uncounted;	  /* losses without a count */
	uint64_t longest; /* from the row before to the row after */
};

int losses_add(struct losses *losses, const struct loss *loss);
void losses_free(struct losses *losses);
/* Those that ended before a time are asked for no more. */
void losses_forget(struct losses *losses, uint64_t before);

/**
 * losses_touch - whether rows were lost on any CPU between two times, or next to them
 * @losses: all so far, in the order of their ends
 * @from: the earlier
 * @to: the later
 */
int losses_touch(const struct losses *losses, uint64_t from, uint64_t to);

#endif
