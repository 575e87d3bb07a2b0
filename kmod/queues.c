// SPDX-License-Identifier: GPL-2.0
/* queues.c - the queueing disciplines there are, and which are parts of others */
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "queues.h"

#ifdef CONFIG_NET_SCHED
/**
 * queue_has_parts() - whether packets of a queueing discipline may be in another below it
 * @dev: its device
 * @queue: the discipline
 *
 * Under rcu_read_lock().
 */
bool queue_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	const struct Qdisc *part;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, part, hash)
		if (part != queue && part->parent != TC_H_ROOT &&
		    TC_H_MAJ(part->parent) == queue->handle)
			return true;
	return false;
}

/* Those of several transmit queues are no parts of one: each queue has its own. */
static bool device_has_parts(const struct net_device *dev)
{
	const struct Qdisc *queue;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, queue, hash)
		if (!(queue->flags & TCQ_F_MQROOT) && queue_has_parts(dev, queue))
			return true;
	queue = rcu_dereference(dev->qdisc);
	return queue && !(queue->flags & TCQ_F_MQROOT) && queue_has_parts(dev, queue);
}

static unsigned int add(unsigned long *functions, unsigned int nr, unsigned int max,
			const struct Qdisc *queue)
{
	const unsigned long function = (unsigned long)queue->ops->enqueue;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (functions[i] == function)
			return 0;
	if (!function || nr == max)
		return 0;
	functions[nr] = function;
	return 1;
}

static unsigned int add_device(unsigned long *functions, unsigned int nr, unsigned int max,
			       const struct net_device *dev)
{
	const struct Qdisc *queue = rcu_dereference(dev->qdisc);
	unsigned int added = queue ? add(functions, nr, max, queue) : 0;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, queue, hash)
		added += add(functions, nr + added, max, queue);
	return added;
}

/**
 * queues_enqueue() - find what puts packets into the queueing disciplines of devices that have several,
 *	one below the other
 * @functions: set to their addresses, each once
 * @max: room in @functions; what does not fit is left out
 *
 * Return: how many.
 */
unsigned int queues_enqueue(unsigned long *functions, unsigned int max)
{
	const struct net_device *dev;
	unsigned int nr = 0;
	struct net *net;

	/* Not rtnl: see drivers_transmit(). */
	rcu_read_lock();
	for_each_net_rcu(net)
		for_each_netdev_rcu(net, dev)
			if (device_has_parts(dev))
				nr += add_device(functions, nr, max, dev);
	rcu_read_unlock();
	return nr;
}
#else
bool queue_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	return false;
}

unsigned int queues_enqueue(unsigned long *functions, unsigned int max)
{
	return 0;
}
#endif
