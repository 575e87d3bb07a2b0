/* SPDX-License-Identifier: GPL-2.0 */
/* attached_programs.h - attach to the BPF programs of other users, so that the module sees their results */
#ifndef _RECORD_SKB_ATTACHED_PROGRAMS_H
#define _RECORD_SKB_ATTACHED_PROGRAMS_H

struct bpf_programs;

/**
 * bpf_programs_attach - attach to the BPF programs that are loaded now and handle packets or sockets
 *
 * @recording: number of the recording, 0 if it is not shared
 *
 * bpf_programs_detach(), or the end of this process for any reason, detaches from the programs. Programs
 * without BTF, and programs to which this kernel does not allow attaching, are left out.
 *
 * Returns the state for the other functions in this header.
 */
struct bpf_programs *bpf_programs_attach(unsigned int recording);
/*
 * Attach to BPF programs that were loaded since the last call. Call this function regularly. It attaches to a
 * program only in the second call after the program was loaded: until then, the loader may still extend the
 * program (freplace). The kernel would refuse the extension if a program was attached already.
 */
void bpf_programs_update(struct bpf_programs *programs);
/* Detach from all BPF programs. @programs may be NULL. */
void bpf_programs_detach(struct bpf_programs *programs);

#endif
