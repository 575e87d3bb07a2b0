/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_XDP_PROGRAMS_H
#define RECORD_SKB_XDP_PROGRAMS_H

#include <linux/types.h>

struct active_config;
struct gate_frame;
struct hit;
struct match;
struct point;
struct recording;
struct skb_view;

bool xdp_programs_want(const struct active_config *a, const struct point *point,
		       const struct hit *hit, struct gate_frame *frame);
void xdp_programs_ran(const struct recording *r, const struct gate_frame *frame, unsigned long ret);
void xdp_programs_arrived(const struct recording *r, const struct skb_view *v,
			  const struct match *m);
void xdp_programs_forget_all(const struct recording *r);

#endif
