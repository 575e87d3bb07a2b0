/* SPDX-License-Identifier: GPL-2.0 */
/* bpf_insn.h - instructions of BPF programs, as initializers of struct bpf_insn */
#ifndef _RECORD_SKB_TESTS_BPF_INSN_H
#define _RECORD_SKB_TESTS_BPF_INSN_H

#include <linux/bpf.h>

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}
#define LOAD(size, d, s, o)    INSN(BPF_LDX | BPF_MEM | (size), d, s, o, 0)
#define SET(d, i)	       INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define COPY(d, s)	       INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD(d, i)	       INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define SKIP_IF_ABOVE(d, s, o) INSN(BPF_JMP | BPF_JGT | BPF_X, d, s, o, 0)
#define SKIP_UNLESS(d, i, o)   INSN(BPF_JMP | BPF_JNE | BPF_K, d, 0, o, i)
#define CALL(i)		       INSN(BPF_JMP | BPF_CALL, 0, 0, 0, i)
/* Two instructions. */
#define SET_MAP(d, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define EXIT() INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#endif
