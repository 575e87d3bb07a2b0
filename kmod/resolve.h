/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RESOLVE_H
#define RECORD_SKB_RESOLVE_H

int resolve(const char *func, unsigned long *ip);
int resolve_address(unsigned long func, unsigned long *ip);
void resolve_done(void);

#endif
