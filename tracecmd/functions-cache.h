/* SPDX-License-Identifier: GPL-2.0 */
/* What ftrace can trace, kept from one recording to the next, for the kernel takes long to say it. */
#ifndef _RECORD_SKB_FUNCTIONS_CACHE_H
#define _RECORD_SKB_FUNCTIONS_CACHE_H

/*
 * What the kernel's list of functions depends on: this boot and each module, its place and its build. As
 * long as it is the same the list is. To be freed; NULL where that cannot be told.
 */
char *functions_cache_key(void);

/* What was put there for @key, to be freed; NULL if nothing was, or if it is not root's alone. */
char *functions_cache_get(const char *key);

/* Keep @text for @key, instead of what is there. If that cannot be, nothing is kept. */
void functions_cache_put(const char *key, const char *text);

#endif
