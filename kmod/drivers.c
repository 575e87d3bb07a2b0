// SPDX-License-Identifier: GPL-2.0
/* drivers.c - the transmit functions of the network devices there are */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
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

	rtnl_lock();
	down_read(&net_rwsem);
	for_each_net(net) {
		for_each_netdev(net, dev) {
			const struct net_device_ops *ops = dev->netdev_ops;

			if (nr < max && ops && ops->ndo_start_xmit)
				nr += add(functions, nr, (unsigned long)ops->ndo_start_xmit);
		}
	}
	up_read(&net_rwsem);
	rtnl_unlock();
	return nr;
}
