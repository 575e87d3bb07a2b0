/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols in the file: those of what is recorded, in place of all that the kernel has. */
#ifndef _RECORD_SKB_SYMBOLS_H
#define _RECORD_SKB_SYMBOLS_H

#include <sys/types.h>

#include "strlist.h"

/*
 * trace-cmd puts /proc/kallsyms into its file: a megabyte, and more work than the rest of its end. It has
 * no option that says which symbols. So it runs in a mount namespace of its own. When the recording is
 * complete, and before trace-cmd looks, the runner mounts a file there that has the symbols of this
 * recording. Whatever fails or is killed before that: then trace-cmd finds all symbols.
 */

/* In the process that is going to be trace-cmd. Returns 0 or -1: then it is in its caller's namespace. */
int symbols_unshare(void);

/**
 * symbols_choose - make the file, with the symbols that the recording needs
 * @session: of the module
 * @parts: trace-cmd's, complete
 *
 * Returns 0, or -1 if that cannot be done, or is not worth it because the recording is so long.
 */
int symbols_choose(int session, const struct strings *parts);

/**
 * symbols_choose_code - make the file, with all of the kernel's code and nothing of its data
 *
 * Where it is not known before what is recorded: half of what trace-cmd would take. Returns 0 or -1.
 */
int symbols_choose_code(void);

/* What @recorder has made is needed no more. */
void symbols_remove(pid_t recorder);

/* In the runner: that file stands in for /proc/kallsyms from now on. @recorder is who made it. */
void symbols_stand_in(pid_t recorder);

#endif
