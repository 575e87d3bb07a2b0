/* SPDX-License-Identifier: GPL-2.0 */
/* The process that puts back what the recorder changed, if the recorder is killed. */
#ifndef _RECORD_SKB_KEEPER_H
#define _RECORD_SKB_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "home.h"
#include "output-file.h"
#include "share.h"
#include "tracing-settings.h"

/**
 * struct undo - how the machine was before the recording
 * @settings: of tracing, NULL if not saved
 * @module_loaded: by us: it was not there before
 * @output: the file trace-cmd writes, NULL if none; not owned
 * @trace_cmd: path of the real one
 * @persistent: the instance that is recorded into as well, NULL for none
 * @by_start: trace-cmd extract makes the file, and is to be through with it
 * @home: where tracefs is what it is
 * @share: what it has among others; of nobody, if it has the recording for itself
 * @lock: of lock_take() or lock_join(), held until all is put back
 */
struct undo {
	struct tracing_settings *settings;
	bool module_loaded;
	const struct output *output;
	const char *trace_cmd;
	const char *persistent;
	bool by_start;
	struct home home;
	struct share share;
	int lock;
};

/**
 * keeper_start - have a process that puts back if this one is killed
 * @undo: how it was
 * @session: the module's file, of which the keeper must not hold a copy
 * @err: why not
 *
 * Only the keeper's own death by SIGKILL can then leave something behind. Returns a file, closed on exec,
 * by which the keeper knows that we live; or -1.
 */
int keeper_start(struct undo *undo, int session, struct err *err);

/* A process that has to end before anything can be put back: trace-cmd first, then its children. */
void keeper_note(int keeper, pid_t pid);

/* The file is there, but not all could be put back: the keeper goes on trying. Closes the file. */
void keeper_take_over(int keeper);

/* All is put back, but for the module if it is still in use: the keeper sees to that. Closes the file. */
void keeper_end(int keeper, bool module_stays);

#endif
