// SPDX-License-Identifier: GPL-2.0
/* drops.c - the packets that are thrown away, where and why */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/skbuff.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "armed.h"
#include "compat/dropreason.h"
#include "drops.h"
#include "emit.h"
#include "quiet.h"
#include "track.h"

static struct tracepoint *tp;

/*
 * What an address in the kernel's text belongs to. Symbols are dear to look up and the same few addresses
 * come again and again: what was found is kept, in bits that are set in each such address.
 */
enum place { PLACE_OTHER, PLACE_FREEING, PLACE_GRAPH };

#define PLACE_SHIFT (BITS_PER_LONG - 3)
#define PLACE_MASK  (3UL << PLACE_SHIFT)
#define KNOWN_BITS  7

static unsigned long known[1 << KNOWN_BITS];

static enum place look_up(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, address);
	if (!strcmp(name, "return_to_handler"))
		return PLACE_GRAPH;
	if (str_has_prefix(name, "kfree_skb") || str_has_prefix(name, "__kfree_skb") ||
	    str_has_prefix(name, "sk_skb_reason_drop"))
		return PLACE_FREEING;
	return PLACE_OTHER;
}

static enum place place_of(unsigned long address)
{
	unsigned long *slot = &known[hash_long(address, KNOWN_BITS)];
	const unsigned long entry = READ_ONCE(*slot);
	enum place place;

	if (entry && (entry | PLACE_MASK) == address)
		return (entry & PLACE_MASK) >> PLACE_SHIFT;
	place = look_up(address);
	WRITE_ONCE(*slot, (address & ~PLACE_MASK) | (unsigned long)place << PLACE_SHIFT);
	return place;
}

/*
 * Inside a graph the return address that the kernel took for the place is function_graph's own;
 * the stack knows the real one. The place is the first caller that is not part of the freeing.
 */
static unsigned long real_location(unsigned long location)
{
	unsigned long stack[16];
	unsigned int i, nr;
	bool freeing = false;

	if (place_of(location) != PLACE_GRAPH)
		return location;
	nr = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	for (i = 0; i < nr; i++) {
		if (place_of(stack[i]) == PLACE_FREEING)
			freeing = true;
		else if (freeing)
			return stack[i];
	}
	return location;
}

static void on_kfree_skb(void *data, struct sk_buff *skb, void *location,
			 enum skb_drop_reason reason COMPAT_RX_SK)
{
	unsigned long place = (unsigned long)location;
	struct quiet quiet;
	const char *name;
	bool is_quiet;
	struct match m;

	/* It is about to be freed: this is how it ends. While no ends are seen it may be another. */
	if (!armed_get() || !track_forget(skb, &m))
		return;
	/* Looking for the place is not the packet's. */
	is_quiet = quiet_begin(&quiet, _THIS_IP_, 0);
	name = compat_drop_reason(reason);
	emit_drop(skb, &m, is_quiet ? real_location(place) : place, reason, name ?: "");
	if (is_quiet)
		quiet_end(&quiet);
}

/* From now on tracked packets that are dropped have an event. */
int drops_start(void)
{
	return tracepoint_probe_register(tp, on_kfree_skb, NULL);
}

void drops_stop(void)
{
	tracepoint_probe_unregister(tp, on_kfree_skb, NULL);
	tracepoint_synchronize_unregister();
}

static void look_for(struct tracepoint *each, void *data)
{
	if (!strcmp(each->name, "kfree_skb"))
		tp = each;
}

int drops_init(void)
{
	for_each_kernel_tracepoint(look_for, NULL);
	return tp ? 0 : -ENOENT;
}
