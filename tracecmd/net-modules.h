/* SPDX-License-Identifier: GPL-2.0 */
/* The loaded modules that packets go through. */
#ifndef _RECORD_SKB_NET_MODULES_H
#define _RECORD_SKB_NET_MODULES_H

#include "strlist.h"

/**
 * net_modules - the modules that packets go through
 * @modules: their names are added, as /proc/modules has them
 *
 * Drivers of this network namespace's devices, and all that are loaded from a directory net of the
 * kernel's modules: protocols, netfilter, and drivers of devices elsewhere.
 */
void net_modules(struct strings *modules);

#endif
