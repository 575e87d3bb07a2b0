/* SPDX-License-Identifier: GPL-2.0 */
/*
 * functions_cache.h - keep two lists from one recording to the next: the functions that ftrace can trace, and
 * the addresses of functions that the module has looked up by name
 *
 * For each page of the first list that a program reads, the kernel searches all functions from the first one
 * on. Reading it takes a third of the time in which a recording starts. Before Linux 6.5, looking up the
 * functions takes another quarter. Both lists change only if a module is loaded or unloaded.
 */
#ifndef _RECORD_SKB_FUNCTIONS_CACHE_H
#define _RECORD_SKB_FUNCTIONS_CACHE_H

#define FUNCTIONS_CACHE "/run/record_skb.functions"
#define ADDRESSES_CACHE "/run/record_skb.addresses"

/*
 * Return the key of the list @name, to be freed: the boot, and the name, size, address and build of each
 * loaded module. As long as the key is the same, the list is the same. Return NULL if the list must not be
 * kept: a module is just being loaded or unloaded, the build of a module is unknown, or the directory of
 * tracefs has another file system.
 */
char *functions_cache_key(const char *name);

/*
 * Return the list that was kept in @file for @key, to be freed. Return NULL if there is no such list, or if
 * another user than root may have written the file.
 */
char *functions_cache_read(const char *file, const char *key);

/*
 * Keep the list @text for @key in @file, in place of the list that was kept before. Errors are ignored: the
 * next recording then asks the kernel again.
 */
void functions_cache_write(const char *file, const char *key, const char *text);

#endif
