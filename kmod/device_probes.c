// SPDX-License-Identifier: GPL-2.0
/* device_probes.c - find the transmit functions and the queueing disciplines (qdiscs) of all devices */
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "device_probes.h"

static unsigned int add_function(unsigned long *functions, unsigned int nr, unsigned int max,
				 unsigned long function)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (functions[i] == function)
			return 0;
	if (!function || nr == max)
		return 0;
	functions[nr] = function;
	return 1;
}

typedef unsigned int add_fn(unsigned long *functions, unsigned int nr, unsigned int max,
			    const struct net_device *dev);

/* Call @add for every device in every network namespace. Return: number of functions that it added. */
static unsigned int each_device(add_fn *add, unsigned long *functions, unsigned int max)
{
	const struct net_device *dev;
	unsigned int nr = 0;
	struct net *net;

	/*
	 * Avoid rtnl_lock(). Its holder may wait until a module is loaded, and loading a module may wait
	 * for session_lock, which the caller of this function holds.
	 */
	rcu_read_lock();
	for_each_net_rcu(net)
		for_each_netdev_rcu(net, dev)
			nr += add(functions, nr, max, dev);
	rcu_read_unlock();
	return nr;
}

static unsigned int add_transmit(unsigned long *functions, unsigned int nr, unsigned int max,
				 const struct net_device *dev)
{
	if (!dev->netdev_ops)
		return 0;
	return add_function(functions, nr, max, (unsigned long)dev->netdev_ops->ndo_start_xmit);
}

/**
 * device_probes_transmit() - find the ndo_start_xmit of every device in every network namespace
 * @functions: set to the addresses, without duplicates
 * @max: number of elements in @functions; more addresses are left out
 *
 * Return: number of addresses.
 */
unsigned int device_probes_transmit(unsigned long *functions, unsigned int max)
{
	return each_device(add_transmit, functions, max);
}

#ifdef CONFIG_NET_SCHED
/**
 * qdisc_has_parts() - check if a queueing discipline (qdisc) has child qdiscs
 * @dev: device of the qdisc
 * @queue: the qdisc
 *
 * The caller holds rcu_read_lock().
 */
bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	const struct Qdisc *part;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, part, hash)
		if (part != queue && part->parent != TC_H_ROOT &&
		    TC_H_MAJ(part->parent) == queue->handle)
			return true;
	return false;
}

/*
 * Return: true if a qdisc of the device has child qdiscs. The qdiscs of the transmit queues do not count as
 * children, because each of them is a root qdisc.
 */
static bool device_has_parts(const struct net_device *dev)
{
	const struct Qdisc *queue;
	int bucket;

	hash_for_each_rcu(dev->qdisc_hash, bucket, queue, hash)
		if (!(queue->flags & TCQ_F_MQROOT) && qdisc_has_parts(dev, queue))
			return true;
	queue = rcu_dereference(dev->qdisc);
	return queue && !(queue->flags & TCQ_F_MQROOT) && qdisc_has_parts(dev, queue);
}

static unsigned int add_qdisc(unsigned long *functions, unsigned int nr, unsigned int max,
			      const struct Qdisc *queue)
{
	return add_function(functions, nr, max, (unsigned long)queue->ops->enqueue);
}

static unsigned int add_enqueue(unsigned long *functions, unsigned int nr, unsigned int max,
				const struct net_device *dev)
{
	const struct Qdisc *queue = rcu_dereference(dev->qdisc);
	unsigned int added = 0;
	int bucket;

	if (!device_has_parts(dev))
		return 0;
	if (queue)
		added = add_qdisc(functions, nr, max, queue);
	hash_for_each_rcu(dev->qdisc_hash, bucket, queue, hash)
		added += add_qdisc(functions, nr + added, max, queue);
	return added;
}

/**
 * device_probes_enqueue() - find the enqueue functions of all qdiscs on devices with nested qdiscs
 * @functions: set to the addresses, without duplicates
 * @max: number of elements in @functions; more addresses are left out
 *
 * Return: number of addresses.
 */
unsigned int device_probes_enqueue(unsigned long *functions, unsigned int max)
{
	return each_device(add_enqueue, functions, max);
}
#else
bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue)
{
	return false;
}

unsigned int device_probes_enqueue(unsigned long *functions, unsigned int max)
{
	return 0;
}
#endif
