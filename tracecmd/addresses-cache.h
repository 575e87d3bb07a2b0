/* SPDX-License-Identifier: GPL-2.0 */
/* Where the module's functions are, kept from one recording to the next, for it takes long to find them. */
#ifndef _RECORD_SKB_ADDRESSES_CACHE_H
#define _RECORD_SKB_ADDRESSES_CACHE_H

#include "ftrace-functions.h"

#define ADDRESSES_CACHE "/run/record_skb.addresses"

/*
 * Give @session those that were kept in this boot, before anything is asked of it by name; and of the table
 * of probe points those that @functions has, which is read if nothing was kept.
 */
void addresses_cache_give(int session, struct functions *functions);

/* Keep those of @session that are new, when it is set up. */
void addresses_cache_keep(int session);

#endif
