/* SPDX-License-Identifier: GPL-2.0 */
/* symbols.h - store only the symbols that the recording needs, instead of all kernel symbols */
#ifndef _RECORD_SKB_SYMBOLS_H
#define _RECORD_SKB_SYMBOLS_H

#include <sys/types.h>

#include "text.h"

/*
 * At the end of a recording, trace-cmd copies /proc/kallsyms into its file, and has no option to prevent
 * that. The copy is a megabyte, and takes longer than everything else at that time. Therefore trace-cmd runs
 * in a private mount namespace. When the events are complete, and before trace-cmd reads the symbols, the
 * runner mounts a smaller file on /proc/kallsyms, with only the symbols of this recording. If anything fails
 * before, trace-cmd stores all symbols.
 */

/*
 * Enter a private mount namespace. Call this in the process that will execute trace-cmd. Returns 0, or -1 if
 * the process has stayed in the caller's namespace.
 */
int symbols_unshare(void);

/**
 * symbols_choose - write a file with the symbols of all addresses that occur in the recording
 * @session: from session_open()
 * @parts: names of trace-cmd's per-CPU files, which must be complete
 *
 * Returns 0. Returns -1 after an error, or if the recording is so large that searching it for addresses is
 * not worth the time.
 */
int symbols_choose(int session, const struct strings *parts);

/**
 * symbols_choose_code - write a file with the symbols of all code of the kernel, without those of data
 *
 * Use this if the addresses in the recording cannot be read before trace-cmd reads the symbols. This file has
 * half of all symbols. Returns 0 or -1.
 */
int symbols_choose_code(void);

/* Remove the file with symbols that the process @recorder has written. */
void symbols_remove(pid_t recorder);

/*
 * Mount the file with symbols that the process @recorder has written on /proc/kallsyms. The runner calls
 * this.
 */
void symbols_stand_in(pid_t recorder);

#endif
