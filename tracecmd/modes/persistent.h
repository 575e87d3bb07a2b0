/* SPDX-License-Identifier: GPL-2.0 */
/* persistent.h - --persistent: a second copy of the recording, in memory that survives a crash */
#ifndef _RECORD_SKB_PERSISTENT_H
#define _RECORD_SKB_PERSISTENT_H

#include "err.h"
#include "probes/kernel_functions.h"
#include "module/module_client.h"
#include "text.h"

/*
 * --persistent uses an instance of tracing in memory that survives a reboot. The kernel's command line
 * creates it by reserve_mem= and trace_instance= (Linux 6.12 and later; see the kernel's
 * Documentation/trace/debugging.rst). Only the pages of the instance survive. Event formats and symbols are
 * different at each boot, so they are written to the disk before the recording begins: to FILE.head, which
 * "trace-cmd restore -i" puts before the pages.
 */

/*
 * Check that @instance can be used: it survives a crash, is empty, and no other user traces in it. Returns 0,
 * or -1 with @err.
 */
int persistent_check(const char *instance, struct err *err);

/**
 * persistent_begin - let function_graph record into the persistent instance, too
 * @instance: checked by persistent_check()
 * @file: the file of the recording; the head is written to FILE.head
 * @trace_cmd: path of the real trace-cmd
 * @functions: functions of the kernel, read here if necessary
 * @err: set to the reason on failure
 *
 * Call this when tracing is on in the top instance, because the tracer settings are copied from there. The
 * instance records only below the gate: set_graph_function has the gate at this time, and all instances share
 * this file. Call it before the module is armed. Call persistent_end() also if this fails. Returns 0 or -1.
 */
int persistent_begin(const char *instance, const char *file, const char *trace_cmd,
		     struct functions *functions, struct err *err);

/*
 * Add the instance to the module's list, so that the module clears it if all processes of the recording are
 * killed. This corresponds to persistent_end().
 */
void persistent_list(const char *instance, struct restore_list *list);

/*
 * Clear the instance and remove the head. Call this when the recording is in its file, so that they are not
 * needed any more. A second call does nothing.
 */
void persistent_end(const char *instance, const char *file);

/**
 * persistent_recover - after a crash, make a file from the pages in the persistent instance
 * @instance: the instance of the recording
 * @file: the file of the recording
 * @trace_cmd: path of the real trace-cmd
 * @left: receives the names of per-CPU parts of @file that trace-cmd had written before the crash; they have
 *	the older events
 * @err: set to the reason on failure
 *
 * Moves the pages of the instance to FILE.head.cpuN. If the disk becomes full, the user can make room and run
 * this again. The head is removed unless the parts in @left need it. Returns 0 or -1.
 */
int persistent_recover(const char *instance, const char *file, const char *trace_cmd,
		       struct strings *left, struct err *err);

#endif
