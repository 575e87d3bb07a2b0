/* SPDX-License-Identifier: GPL-2.0 */
/* persistent.h - --persistent: record a second copy into memory that survives a crash of the kernel */
#ifndef _RECORD_SKB_PERSISTENT_H
#define _RECORD_SKB_PERSISTENT_H

#include "err.h"
#include "probes/kernel_functions.h"
#include "module/module_client.h"
#include "text.h"

/*
 * --persistent uses a tracing instance in memory that survives a reboot. The kernel's command line creates
 * this instance, by reserve_mem= and trace_instance= (Linux 6.12 and later; see the kernel's
 * Documentation/trace/debugging.rst). Only the pages of the instance survive. A trace file also needs event
 * formats and symbols, which differ at each boot. Therefore they are written to the disk before the recording
 * begins: to FILE.head, which "trace-cmd restore -i" puts before the pages.
 */

/*
 * Check that the tracing instance @instance can be used: it survives a crash, is empty, and no other user
 * traces in it. Returns 0, or -1 with @err.
 */
int persistent_check(const char *instance, struct err *err);

/**
 * persistent_begin - let function_graph record into the persistent instance, too
 * @instance: name of the instance, checked by persistent_check()
 * @file: name of the recording's file; its head is written to FILE.head
 * @trace_cmd: path of the real trace-cmd
 * @functions: functions of the kernel, which are read here if necessary
 * @err: set to the reason on failure
 *
 * Call this function before the module is armed, and when tracing is on in the top instance: it copies
 * settings of the tracer from there. The instance records only calls below the gate, because all instances
 * share set_graph_function, which has the gate at this time. Call persistent_end() also if this fails.
 * Returns 0 or -1.
 */
int persistent_begin(const char *instance, const char *file, const char *trace_cmd,
		     struct functions *functions, struct err *err);

/*
 * Add settings of the persistent instance to the list of settings that the module restores if all processes
 * of the recording are killed. The module then clears the instance, as persistent_end() does.
 */
void persistent_list(const char *instance, struct restore_list *list);

/*
 * Clear the persistent instance, and remove the head. Call this function when the recording is in its file:
 * then both are not needed any more. A second call does nothing.
 */
void persistent_end(const char *instance, const char *file);

/**
 * persistent_recover - after a crash, make a file from the pages in the persistent instance
 * @instance: name of the instance of the recording
 * @file: name of the recording's file
 * @trace_cmd: path of the real trace-cmd
 * @left: the names of the per-CPU parts that trace-cmd wrote before the crash are appended to this
 *	list; these parts have the older events
 * @err: set to the reason on failure
 *
 * First, the pages are moved from the instance to FILE.head.cpuN. If the disk becomes full, the user can free
 * some space and call --recover again. At the end, the head is removed if @left is empty; otherwise, the
 * parts in @left need it. Returns 0 or -1.
 */
int persistent_recover(const char *instance, const char *file, const char *trace_cmd,
		       struct strings *left, struct err *err);

#endif
