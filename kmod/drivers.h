/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DRIVERS_H
#define RECORD_SKB_DRIVERS_H

#include <linux/types.h>

unsigned int drivers_transmit(unsigned long *functions, unsigned int max);

#endif
