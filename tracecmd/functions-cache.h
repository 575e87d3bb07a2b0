/* SPDX-License-Identifier: GPL-2.0 */
/* What ftrace can trace, kept from one recording to the next, for the kernel takes long to say it. */
#ifndef _RECORD_SKB_FUNCTIONS_CACHE_H
#define _RECORD_SKB_FUNCTIONS_CACHE_H

/*
 * What the kernel's list of functions depends on: this boot and each module, its place and its build. As
 * long as it is the same the list is. To be freed; NULL where that cannot be told.
 */
char *functions_cache_key(void);

/* What stays as it is for this boot, modules or not: as above. */
char *functions_cache_boot(void);

/* The list itself, and what was chosen from it last. */
#define FUNCTIONS_CACHE_LIST   "/run/record_skb.functions"
#define FUNCTIONS_CACHE_CHOICE "/run/record_skb.choice"

/* What was put into @file for @key, to be freed; NULL if nothing was, or if it is not root's alone. */
char *functions_cache_get(const char *file, const char *key);

/* Keep @text for @key, instead of what is in @file. If that cannot be, nothing is kept. */
void functions_cache_put(const char *file, const char *key, const char *text);

#endif
