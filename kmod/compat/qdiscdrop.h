/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_QDISCDROP_H
#define RECORD_SKB_COMPAT_QDISCDROP_H

#include <net/sch_generic.h>

/*
 * From 7.1 on, qdiscs have drop reasons of their own, which only the tracepoint qdisc_drop reports. The
 * tracepoint kfree_skb comes later, and reports QDISC_DROP for each of these reasons. Older kernels have
 * neither these reasons nor the tracepoint qdisc_drop. Remove this when no Linux 6.x is supported any more.
 */
#if __has_include(<net/dropreason-qdisc.h>)
#include <net/dropreason-qdisc.h>
#include <trace/events/qdisc.h>

#define COMPAT_QDISC_REASONS 1

static inline const char *compat_qdisc_reason(enum qdisc_drop_reason reason)
{
	switch (reason) {
#define compat_name(name)       \
	case QDISC_DROP_##name: \
		return #name;
#define compat_last(name)
		DEFINE_QDISC_DROP_REASON(compat_name, compat_last)
#undef compat_name
#undef compat_last
	default:
		return "";
	}
}
#endif

#endif
