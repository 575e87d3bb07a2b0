/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SOCK_H
#define RECORD_SKB_SOCK_H

#include <linux/types.h>

struct filter;
struct sock;
struct sockaddr;
struct tuple;

bool sock_new_tuple(int family, int type, int proto, struct tuple *t);
bool sock_tuple(const struct sock *sk, struct tuple *t);
void sock_set_peer(struct tuple *t, const struct sockaddr *addr, int len);
bool sock_run_filter(const struct filter *f, const struct tuple *t, bool receive);

#endif
