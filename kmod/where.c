// SPDX-License-Identifier: GPL-2.0
/* where.c - compute a condition (--where) from fields of struct sk_buff */
#include <linux/kernel.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/swab.h>

#include "where.h"

static bool field_is_valid(const struct record_skb_step *step)
{
	const u32 flags = RECORD_SKB_FIELD_BIG_ENDIAN | RECORD_SKB_FIELD_SIGNED;

	if (step->size != 1 && step->size != 2 && step->size != 4 && step->size != 8)
		return false;
	return step->offset + step->size <= sizeof(struct sk_buff) && !(step->flags & ~flags) &&
	       step->shift + step->bits <= 8 * step->size && (step->bits || !step->shift);
}

/* Return: number of values that the step takes from the stack. */
static u32 nr_taken(u8 kind)
{
	if (kind <= RECORD_SKB_STEP_FIELD)
		return 0;
	return kind <= RECORD_SKB_STEP_NEGATE ? 1 : 2;
}

/* Return: true if the program never leaves its stack, and reads no field outside struct sk_buff. */
bool where_is_valid(const struct record_skb_step *steps, u32 nr)
{
	u32 i, depth = 0;

	if (!nr)
		return true;
	if (nr > RECORD_SKB_MAX_STEPS)
		return false;
	for (i = 0; i < nr; i++) {
		if (steps[i].kind >= RECORD_SKB_STEPS || depth < nr_taken(steps[i].kind) ||
		    (steps[i].kind == RECORD_SKB_STEP_FIELD && !field_is_valid(&steps[i])))
			return false;
		depth += 1 - nr_taken(steps[i].kind);
		if (depth > RECORD_SKB_MAX_DEPTH)
			return false;
	}
	return depth == 1;
}

static s64 read_field(const struct record_skb_step *step, const struct sk_buff *skb)
{
	const bool swap = step->flags & RECORD_SKB_FIELD_BIG_ENDIAN;
	const u8 *at = (const u8 *)skb + step->offset;
	u32 bits = step->bits ?: 8 * step->size;
	u64 value = 0;

	/*
	 * Copy a short field to the lower bytes of @value. The module is only built for little-endian CPUs.
	 */
	memcpy(&value, at, step->size);
	if (swap)
		value = swab64(value) >> (64 - 8 * step->size);
	value = value >> step->shift << (64 - bits);
	return step->flags & RECORD_SKB_FIELD_SIGNED ? (s64)value >> (64 - bits) :
						       (s64)(value >> (64 - bits));
}

static s64 combine(u8 kind, s64 left, s64 right)
{
	switch (kind) {
	case RECORD_SKB_STEP_OR:
		return left || right;
	case RECORD_SKB_STEP_AND:
		return left && right;
	case RECORD_SKB_STEP_BIT_OR:
		return left | right;
	case RECORD_SKB_STEP_BIT_XOR:
		return left ^ right;
	case RECORD_SKB_STEP_BIT_AND:
		return left & right;
	case RECORD_SKB_STEP_EQUAL:
		return left == right;
	case RECORD_SKB_STEP_UNEQUAL:
		return left != right;
	case RECORD_SKB_STEP_LESS:
		return left < right;
	case RECORD_SKB_STEP_MORE:
		return left > right;
	case RECORD_SKB_STEP_AT_MOST:
		return left <= right;
	case RECORD_SKB_STEP_AT_LEAST:
		return left >= right;
	case RECORD_SKB_STEP_SHIFT_LEFT:
		return (u64)left << (right & 63);
	case RECORD_SKB_STEP_SHIFT_RIGHT:
		return (u64)left >> (right & 63);
	case RECORD_SKB_STEP_ADD:
		return (u64)left + (u64)right;
	default:
		return (u64)left - (u64)right;
	}
}

/**
 * where_holds() - compute a condition
 * @steps: a valid program
 * @nr: number of steps, not 0
 * @skb: the packet
 *
 * Only struct sk_buff itself is read. Preemption is off.
 */
noinline bool where_holds(const struct record_skb_step *steps, u32 nr, const struct sk_buff *skb)
{
	s64 stack[RECORD_SKB_MAX_DEPTH] __attribute__((__uninitialized__));
	u32 i, n = 0;

	for (i = 0; i < nr; i++) {
		switch (steps[i].kind) {
		case RECORD_SKB_STEP_NUMBER:
			stack[n++] = steps[i].value;
			break;
		case RECORD_SKB_STEP_FIELD:
			stack[n++] = read_field(&steps[i], skb);
			break;
		case RECORD_SKB_STEP_NOT:
			stack[n - 1] = !stack[n - 1];
			break;
		case RECORD_SKB_STEP_INVERT:
			stack[n - 1] = ~stack[n - 1];
			break;
		case RECORD_SKB_STEP_NEGATE:
			stack[n - 1] = -(u64)stack[n - 1];
			break;
		default:
			n--;
			stack[n - 1] = combine(steps[i].kind, stack[n - 1], stack[n]);
		}
	}
	return stack[0];
}
