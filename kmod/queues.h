/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_QUEUES_H
#define RECORD_SKB_QUEUES_H

#include <linux/types.h>

struct net_device;
struct Qdisc;

bool queue_has_parts(const struct net_device *dev, const struct Qdisc *queue);
unsigned int queues_enqueue(unsigned long *functions, unsigned int max);

#endif
