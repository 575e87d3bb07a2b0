/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SOCKET_CALLS_H
#define RECORD_SKB_SOCKET_CALLS_H

#include "gate_choice.h"

struct hit;
struct point;

enum gate decide_call(const struct active_config *a, const struct point *point,
		      const struct hit *hit);
void call_left(const struct active_config *a, int fd);
void calls_learn(const struct active_config *a);

#endif
