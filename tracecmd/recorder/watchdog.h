/* SPDX-License-Identifier: GPL-2.0 */
/* watchdog.h - the watchdog, a process that restores the system if the recorder is killed */
#ifndef _RECORD_SKB_WATCHDOG_H
#define _RECORD_SKB_WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "tracefs/instances.h"
#include "recorder/trace_file.h"
#include "modes/shared.h"
#include "tracefs/settings.h"

/**
 * struct undo - what has to be restored after the recording, by setup_undo() or by the watchdog
 * @settings: tracing settings before the recording; NULL if they were not saved
 * @module_loaded: true if this recording has loaded the module, so that it has to be unloaded
 * @output: the output file, or NULL if none is written; not owned
 * @trace_cmd: path of the real trace-cmd
 * @persistent: name of the instance of --persistent, or NULL
 * @persistent_file: output file of the recording with --persistent, which has written FILE.head
 * @by_start: true for a ring: "trace-cmd extract" makes its file and must not be interrupted, so the
 *	watchdog waits for all processes
 * @home: the user's mount namespace, in which no overlay hides a part of tracefs
 * @shared: state of a shared recording; NO_SHARE for another recording
 * @lock: file descriptor from lock_take() or lock_join(), open until everything is restored
 */
struct undo {
	struct tracing_settings *settings;
	bool module_loaded;
	const struct output *output;
	const char *trace_cmd;
	const char *persistent;
	const char *persistent_file;
	bool by_start;
	struct home home;
	struct shared shared;
	int lock;
};

/**
 * watchdog_start - start the process that restores the system if this process is killed
 * @undo: what has to be restored
 * @session: file descriptor from session_open(); the watchdog closes its copy
 * @err: set to the reason on failure
 *
 * The watchdog begins to restore when the socket is closed and this process has not sent a last message. If
 * the watchdog is killed too, the module restores the settings. Returns a socket to the watchdog, closed on
 * exec, or -1.
 */
int watchdog_start(struct undo *undo, int session, struct err *err);

/*
 * Tell the watchdog about a process that has to exit before the system can be restored. Report trace-cmd
 * first, and then its children.
 */
void watchdog_note(int watchdog, pid_t pid);

/*
 * Let the watchdog restore the settings that this process could not restore. The output file must be
 * complete. Closes @watchdog.
 */
void watchdog_take_over(int watchdog);

/*
 * End the watchdog. If @module_stays is true, the module is still in use, and the watchdog unloads it before
 * it exits. Closes @watchdog.
 */
void watchdog_end(int watchdog, bool module_stays);

#endif
