/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - let trace-cmd store only the kernel symbols that the recording needs, instead of all of them
 */
#ifndef _RECORD_SKB_SYMBOLS_H
#define _RECORD_SKB_SYMBOLS_H

#include <sys/types.h>

#include "text.h"

/*
 * At the end of a recording, trace-cmd copies /proc/kallsyms into its file, and has no option to prevent
 * that. The copy has a megabyte, and takes longer than everything else at the end.
 *
 * Therefore trace-cmd runs in a private mount namespace. When the events are complete, and before trace-cmd
 * reads the symbols, the runner (the process that trace-cmd has started) mounts a smaller file on
 * /proc/kallsyms. This file has only the symbols of the recording. If that fails, trace-cmd stores all
 * symbols.
 */

/*
 * Enter a private mount namespace. The process that will execute trace-cmd calls this function. Returns 0, or
 * -1 if the process is still in the caller's namespace.
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
 * symbols_choose_code - write a file with the symbols of all kernel code, and without symbols of data
 *
 * Use this function if trace-cmd reads the symbols before the addresses in the recording can be read. The
 * file has half of all symbols. Returns 0 or -1.
 */
int symbols_choose_code(void);

/* Remove the file with symbols that the recorder, the process @recorder, has written. */
void symbols_remove(pid_t recorder);

/*
 * Mount the file with symbols that the recorder, the process @recorder, has written on /proc/kallsyms. The
 * runner calls this in trace-cmd's mount namespace.
 */
void symbols_stand_in(pid_t recorder);

#endif
