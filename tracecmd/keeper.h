/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_KEEPER_H
#define _RECORD_SKB_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "tracefs-state.h"

/**
 * struct before - how the machine was before the recording
 * @tracefs: its settings
 * @loaded_by_us: the module was not there
 * @output: the file trace-cmd writes, NULL if none
 * @lock: of lock_take(), held until all is put back
 */
struct before {
	struct tracefs_state *tracefs;
	bool loaded_by_us;
	const char *output;
	int lock;
};

/**
 * keeper_start - have a process that puts back if this one is killed
 * @before: how it was
 * @session: the module's file, of which the keeper must not hold a copy
 * @err: why not
 *
 * Only that process's death by SIGKILL is left as a way to leave something behind. Returns a file,
 * closed on exec, by which the keeper knows that we live; or -1.
 */
int keeper_start(const struct before *before, int session, struct err *err);

/* A process that has to end before anything can be put back: trace-cmd first, then its children. */
void keeper_note(int keeper, pid_t pid);

/* All is put back, but for the module if it is still in use: the keeper sees to that. Closes the file. */
void keeper_end(int keeper, bool module_stays);

#endif
