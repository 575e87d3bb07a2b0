/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_BPF_PROGRAMS_H
#define RECORD_SKB_BPF_PROGRAMS_H

#include <linux/types.h>
#include <record_skb.h>

struct bpf_prog;
struct gate_frame;
struct hit;
struct recording;
struct sock;

void bpf_programs_skb(const struct recording *r, const struct hit *hit);
void bpf_programs_redirect(const struct recording *r, const struct hit *hit);
struct record_skb_program bpf_programs_describe(const struct bpf_prog *prog);
const void *bpf_programs_at(u32 copies, const struct sock *sk, u32 kind);
void bpf_programs_refused(const struct recording *r, const struct gate_frame *frame,
			  unsigned long ret);
void bpf_programs_forget_all(const struct recording *r);

#endif
