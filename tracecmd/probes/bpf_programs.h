/* SPDX-License-Identifier: GPL-2.0 */
/* bpf_programs.h - attach to the BPF programs of other users, so that the module sees their results */
#ifndef _RECORD_SKB_BPF_PROGRAMS_H
#define _RECORD_SKB_BPF_PROGRAMS_H

struct bpf_programs;

/**
 * bpf_programs_attach - attach to the BPF programs that are loaded now and handle packets or sockets
 *
 * @recording: number of the recording, 0 if it is not shared
 *
 * The attached programs end when this process ends for any reason, or by bpf_programs_detach(). A program
 * that cannot be attached to is left out: it has no BTF, or this kernel does not allow it.
 *
 * Returns the state for the other functions.
 */
struct bpf_programs *bpf_programs_attach(unsigned int recording);
/*
 * Attach to new programs. Call this regularly. A program is left alone until the second call, because its
 * loader may extend it (freplace), which the kernel refuses once another program is attached.
 */
void bpf_programs_update(struct bpf_programs *programs);
/* Detach from all programs. @programs may be NULL. */
void bpf_programs_detach(struct bpf_programs *programs);

#endif
