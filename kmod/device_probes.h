/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DEVICE_PROBES_H
#define RECORD_SKB_DEVICE_PROBES_H

#include <linux/types.h>

struct net_device;
struct Qdisc;

unsigned int device_probes_transmit(unsigned long *functions, unsigned int max);
unsigned int device_probes_enqueue(unsigned long *functions, unsigned int max);
bool qdisc_has_parts(const struct net_device *dev, const struct Qdisc *queue);

#endif
