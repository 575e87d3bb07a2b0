/* SPDX-License-Identifier: GPL-2.0 */
/* call_list.h - the calls that wrote or read bytes of a stream, sorted by position */
#ifndef _RECORD_SKB_CALL_LIST_H
#define _RECORD_SKB_CALL_LIST_H

#include "model/byte_streams.h"

/* A list of calls, sorted by position. A zeroed list is empty. */
struct call_list {
	struct byte_call *v;
	size_t n, max;
};

/* Add a call to the list. Return: false if there is not enough memory. */
bool call_list_insert(struct call_list *list, const struct byte_call *call);

/* Remove the calls that end at or before @position. */
void call_list_forget(struct call_list *list, uint64_t position);

/*
 * Return: the call that moved the byte at @position; NULL if there is none. If the answer is not the same for
 * all bytes from @position to @end, set @end to the first byte with another answer.
 */
const struct byte_call *call_list_find(const struct call_list *list, uint64_t position,
				       uint64_t *end);

/* Return: number of calls that wrote or read the byte at @position. */
unsigned int call_list_count(const struct call_list *list, uint64_t position);

/* Return: position after the last byte of all calls, 0 if there are none. */
uint64_t call_list_end(const struct call_list *list);

void call_list_free(struct call_list *list);

#endif
