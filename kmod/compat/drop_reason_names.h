/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_DROPREASON_H
#define RECORD_SKB_COMPAT_DROPREASON_H

#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/version.h>
#include <net/dropreason.h>
#include <trace/events/skb.h>

/*
 * Return: name of a drop reason, or NULL if the kernel has no name for it. From 6.4 on, each subsystem has a
 * table of names of its own ("net: extend drop reasons for multiple subsystems"). The caller disables
 * preemption. Remove this when the support for Linux 6.1 ends.
 */
static inline const char *compat_drop_reason(unsigned int reason)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return reason < SKB_DROP_REASON_MAX ? drop_reasons[reason] : NULL;
#else
	unsigned int subsys = reason >> SKB_DROP_REASON_SUBSYS_SHIFT;
	unsigned int nr = reason & ~SKB_DROP_REASON_SUBSYS_MASK;
	const struct drop_reason_list *list;

	if (subsys >= SKB_DROP_REASON_SUBSYS_NUM)
		return NULL;
	list = rcu_dereference_sched_check(drop_reasons_by_subsys[subsys], 1);
	return list && nr < list->n_reasons ? list->reasons[nr] : NULL;
#endif
}

/*
 * Return: true if there is a drop reason of this name, without prefix. Remove this when the support for
 * Linux 6.1 ends.
 */
static inline bool compat_is_drop_reason(const char *name)
{
	bool found = false;
	unsigned int nr;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	for (nr = 0; !found && nr < SKB_DROP_REASON_MAX; nr++)
		found = drop_reasons[nr] && !strcmp(drop_reasons[nr], name);
#else
	unsigned int subsys;

	rcu_read_lock();
	for (subsys = 0; subsys < SKB_DROP_REASON_SUBSYS_NUM; subsys++) {
		const struct drop_reason_list *list =
			rcu_dereference(drop_reasons_by_subsys[subsys]);

		for (nr = 0; list && !found && nr < list->n_reasons; nr++)
			found = list->reasons[nr] && !strcmp(list->reasons[nr], name);
	}
	rcu_read_unlock();
#endif
	return found;
}

/*
 * Since 6.11, the tracepoint kfree_skb also passes the receiving socket ("net: introduce
 * sk_skb_reason_drop function"). In later versions, the socket is const. Remove this when the support for
 * Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define COMPAT_RX_SK
#define compat_rx_sk() NULL
#else
/* clang-format off */
typedef typeof(_Generic(&__traceiter_kfree_skb,
	int (*)(void *, struct sk_buff *, void *, enum skb_drop_reason, const struct sock *):
		(const struct sock *)NULL,
	default: (struct sock *)NULL)) compat_rx_sk_t;
/* clang-format on */

#define COMPAT_RX_SK   , compat_rx_sk_t rx_sk
#define compat_rx_sk() rx_sk
#endif

#endif
