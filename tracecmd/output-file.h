/* SPDX-License-Identifier: GPL-2.0 */
/* The trace.dat to be written. */
#ifndef _RECORD_SKB_OUTPUT_FILE_H
#define _RECORD_SKB_OUTPUT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "err.h"
#include "strlist.h"

/**
 * struct output - the file to be written
 * @file: its name; not owned
 * @parts: what trace-cmd's parts of it are called, but for ".cpuN"; owned
 * @instances: that have parts of their own, PARTS.NAME.cpuN; not owned
 * @existed: there was one before, with the status @before
 * @claim: keeps other recordings from it, by whoever has a copy of it; -1 if not
 */
struct output {
	const char *file;
	char *parts;
	const struct strings *instances;
	bool existed;
	struct stat before;
	int claim;
};

/**
 * output_check - see that the file can be written, and trace-cmd's parts
 * @output: filled in; output_free() it whatever this returns
 * @file: its name
 * @temp: directory of its parts (--temp), NULL if they are beside it
 * @instances: of tracing, which are recorded as well (-B)
 * @err: why not
 *
 * trace-cmd's recorders write a part for each CPU, FILE.cpuN, until trace-cmd puts them together. Parts
 * that are there already are of a recording that was cut off: they are refused, for trace-cmd would overwrite
 * them; and so is a file that another recording is writing. Leaves nothing behind. Returns 0 or -1.
 */
int output_check(struct output *output, const char *file, const char *temp,
		 const struct strings *instances, struct err *err);
void output_free(struct output *output);

/**
 * output_check_written - see that the finished file is whole
 * @file: its name
 * @has_entries: it was to have some
 * @err: it is not
 *
 * trace-cmd does not notice when the disk is full. As far as the file's headers tell, and the first entry:
 * what there was no room for, trace-cmd leaves out of the headers as well, of all CPUs. Returns 0 or -1.
 */
int output_check_written(const char *file, bool has_entries, struct err *err);

/* Bytes in the parts, while it is recorded. */
unsigned long long output_size(const struct output *output);

/* Those parts NAME.cpuN that there are, in the order of CPUs; add them to @parts. */
void output_parts(const char *name, struct strings *parts);

/**
 * output_restore - make the file from the parts that a trace-cmd left which was killed
 * @output: the file
 * @trace_cmd: path of the real one, whose restore does it
 *
 * While the events' formats are there: the module is still loaded. Removes the parts then. Returns false if
 * there are none, or it fails, or the file is not whole: then they stay.
 */
bool output_restore(const struct output *output, const char *trace_cmd);

/* Run a command to its end. Returns true if it ended well. What it says goes to no one. */
bool output_run_quietly(const struct strings *command);

/* After a failure: remove what this run wrote, and nothing that was there before. */
void output_discard(const struct output *output);

#endif
