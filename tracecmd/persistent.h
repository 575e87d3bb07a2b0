/* SPDX-License-Identifier: GPL-2.0 */
/* A second copy of the recording, in memory that survives a crash. */
#ifndef _RECORD_SKB_PERSISTENT_H
#define _RECORD_SKB_PERSISTENT_H

#include "err.h"
#include "ftrace-functions.h"
#include "strlist.h"

/*
 * An instance of tracing that the kernel's command line puts into memory which the next boot finds again
 * (reserve_mem= and trace_instance=, Linux 6.12 on; the kernel's Documentation/trace/debugging.rst). Its
 * pages are all that survives, so formats and symbols, which are those of one boot, are written to the disk
 * before anything is recorded: FILE.head, which "trace-cmd restore -i" puts before the pages.
 */

/* FILE.head; to be freed. */
char *persistent_head(const char *file);

/* See that @instance is such a one, empty, and nobody's. Returns 0, or -1 with @err. */
int persistent_check(const char *instance, struct err *err);

/**
 * persistent_begin - record into the instance as well
 * @instance: that persistent_check() found good
 * @file: the file of the recording, beside which the head is written
 * @trace_cmd: path of the real one
 * @functions: are read if need be
 * @err: why not
 *
 * While the top buffer records already, and the module is not armed yet: set_graph_function, which is one for
 * all, has the gate then. Takes over what the top buffer's tracer was told. persistent_end() whatever this
 * returns: 0 or -1.
 */
int persistent_begin(const char *instance, const char *file, const char *trace_cmd,
		     struct functions *functions, struct err *err);

/* Empty the instance and remove the head: the recording is in its file. May be called again. */
void persistent_end(const char *instance, const char *file);

/**
 * persistent_recover - after the crash: make the file
 * @instance: that was recorded into
 * @file: of that recording
 * @trace_cmd: path of the real one
 * @left: the parts of @file that trace-cmd had written to the disk are added: older than what @instance has
 * @err: why not
 *
 * Takes all out of the instance, to FILE.head.cpuN; if there is no room it can be done again when there is.
 * Removes the head, unless there is something @left to put behind it.
 * Returns 0 or -1.
 */
int persistent_recover(const char *instance, const char *file, const char *trace_cmd,
		       struct strings *left, struct err *err);

#endif
