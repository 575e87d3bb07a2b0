/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_BPF_PROGRAMS_H
#define RECORD_SKB_BPF_PROGRAMS_H

struct active_config;
struct gate_frame;
struct hit;
struct match;
struct point;
struct recording;
struct skb_view;
struct sock;

void bpf_programs_skb(const struct recording *r, const struct hit *hit);
void bpf_programs_xdp(const struct active_config *a, const struct point *point,
		      const struct hit *hit);
void bpf_programs_arrived(const struct recording *r, const struct skb_view *v,
			  const struct match *m);
const void *bpf_programs_at(u32 copies, const struct sock *sk, u32 kind);
void bpf_programs_refused(const struct recording *r, const struct gate_frame *frame,
			  unsigned long ret);
void bpf_programs_forget_all(const struct recording *r);

#endif
