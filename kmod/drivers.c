// SPDX-License-Identifier: GPL-2.0
/* drivers.c - the transmit functions of the network devices there are */
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <net/net_namespace.h>

#include "drivers.h"

static bool add(unsigned long *functions, unsigned int nr, unsigned long function)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (functions[i] == function)
			return false;
	functions[nr] = function;
	return true;
}

/**
 * drivers_transmit() - find the ndo_start_xmit of every device in every network namespace
 * @functions: set to their addresses, each once
 * @max: room in @functions; what does not fit is left out
 *
 * Return: how many.
 */
unsigned int drivers_transmit(unsigned long *functions, unsigned int max)
{
	const struct net_device *dev;
	unsigned int nr = 0;
	struct net *net;

	/* Not rtnl: whoever holds it may be waiting for a module, and that for us. */
	rcu_read_lock();
	for_each_net_rcu(net) {
		for_each_netdev_rcu(net, dev) {
			const struct net_device_ops *ops = dev->netdev_ops;

			if (nr < max && ops && ops->ndo_start_xmit)
				nr += add(functions, nr, (unsigned long)ops->ndo_start_xmit);
		}
	}
	rcu_read_unlock();
	return nr;
}
