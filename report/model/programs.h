/* SPDX-License-Identifier: GPL-2.0 */
/* programs.h - the BPF programs that have run on a packet, and their results as text */
#ifndef _RECORD_SKB_PROGRAMS_H
#define _RECORD_SKB_PROGRAMS_H

#include <stdbool.h>

#include "escape.h"
#include "event.h"

/* Maximum number of programs that are kept for a copy; the recording can have more. */
#define MAX_PROGRAMS 256

/**
 * struct programs - the BPF programs that have run on a copy
 * @v: the programs, in order of time
 * @n: number of elements in @v
 * @n_passed: number of programs at the beginning of @v that did not drop the copy, because another event of
 *	the copy came after them
 */
struct programs {
	struct program_facts *v;
	unsigned int n;
	unsigned int n_passed;
};

/* Add a program that has run on the copy. */
void programs_add(struct programs *programs, const struct program_facts *facts);
void programs_free(struct programs *programs);
/*
 * Find the program that dropped a copy. Call this function when the copy is dropped. @reason is the kernel's
 * drop reason, "" if it gives none.
 *
 * Return: the program with a result that drops packets, if nothing has happened to the copy since that
 * program ran; NULL if no program has dropped the copy. If the result of the program is not known, another
 * program may have dropped the copy instead. The member candidates is then set to the number of programs that
 * may have done so. It is 1 if only this program may have done so.
 */
const struct program_facts *programs_dropping(struct programs *programs, const char *reason);

/* Return: the kernel's name for the result of the program; NULL if the result has no name. */
const char *program_result(const struct program_facts *facts);
/* Return: true if the program's result drops the packet or refuses the call. */
bool program_refuses(const struct program_facts *facts);
/* Return: true for a socket filter in the classic language. Such a filter has neither an id nor a name. */
bool program_is_classic(const struct program_facts *facts);
/*
 * Return: the kind of program as one word for programs that read the output: "xdp", "tc", ...; "other" for
 * other kinds.
 */
const char *program_kind(const struct program_facts *facts);

#define PROGRAM_TEXT_LEN \
	(ESCAPED_LEN(RECORD_SKB_PROGRAM_NAME_LEN) + ESCAPED_LEN(DEVICE_NAME_LEN) + 80)
#define TARGET_TEXT_LEN (ESCAPED_LEN(DEVICE_NAME_LEN) + 80)
/*
 * Format the target to which a program redirects the packet: " to eth1"; "" if the program does not redirect
 * it, or if the target is not known.
 */
const char *words_target(char *buf, const struct program_facts *facts);

/* Format a program: "XDP program fw_main (id 42) on eth0", "tc program cls (id 43) on eth0 (ingress)". */
const char *words_program(char *buf, const struct program_facts *facts);

#endif
