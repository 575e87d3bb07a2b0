/* SPDX-License-Identifier: GPL-2.0 */
/* field_condition.h - compile a condition on fields of struct sk_buff, for the option --where */
#ifndef _RECORD_SKB_FIELD_CONDITION_H
#define _RECORD_SKB_FIELD_CONDITION_H

#include "err.h"
#include "record_skb.h"

struct btf;

/**
 * where_compile - compile a condition such as "priority >= 6 && mark & 0xff"
 * @btf: types of the kernel
 * @text: the condition, in the syntax of C, without "?:", "*", "/" and "%"
 * @settings: options for the module; the condition is stored in the members steps and nr_steps
 * @err: set to a message if the condition is not valid
 *
 * A field can be in a nested structure ("headers.mark") or be an element of an array ("cb[4]"). A pointer is
 * a number. A field in network byte order is converted.
 *
 * Returns 0 or -1.
 */
int where_compile(const struct btf *btf, const char *text, struct record_skb_options *settings,
		  struct err *err);

/* The same as where_compile(), with the types of the running kernel. Returns 0 or -1. */
int where_compile_here(const char *text, struct record_skb_options *settings, struct err *err);

#endif /* _RECORD_SKB_FIELD_CONDITION_H */
