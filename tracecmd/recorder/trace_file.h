/* SPDX-License-Identifier: GPL-2.0 */
/* trace_file.h - the output file of the recording, such as trace.dat */
#ifndef _RECORD_SKB_TRACE_FILE_H
#define _RECORD_SKB_TRACE_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "err.h"
#include "text.h"

/**
 * struct output - the file of the recording
 * @file: name of the file; not owned
 * @parts: name of trace-cmd's per-CPU parts of the file, without ".cpuN"; owned
 * @instances: names of the tracing instances that are recorded too (-B); the parts of an instance are
 *	PARTS.NAME.cpuN; not owned
 * @existed: true if the file existed before the recording
 * @before: status of the file before the recording, from stat(2)
 * @claim: file descriptor of a lock that keeps other recordings from writing to the file; -1 if the
 *	file is not locked
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
 * output_check - check that the output file and its per-CPU parts can be written
 * @output: filled in; call output_free() also if this fails
 * @file: its name
 * @instances: names of the tracing instances that are recorded too (-B)
 * @err: set to the reason on failure
 *
 * During a recording, trace-cmd's recorder processes write a part of the file for each CPU, FILE.cpuN. At the
 * end, trace-cmd combines the parts. This function fails if parts exist: they come from an interrupted
 * recording, and trace-cmd would overwrite them. The function also fails if another recording is writing the
 * file. It leaves no files behind. Returns 0 or -1.
 */
int output_check(struct output *output, const char *file, const struct strings *instances,
		 struct err *err);
void output_free(struct output *output);

/*
 * Mode and umask for the output file and its parts. Only root may read these files, because they contain the
 * beginning of every packet, and kernel addresses. trace-cmd creates files with mode 0644 minus the umask, so
 * it always runs with this umask.
 */
#define OUTPUT_MODE  0600
#define OUTPUT_UMASK 077

/**
 * output_make_private - replace an existing file by an empty one that only root can read
 * @file: name of the file, or of a symbolic link to it; a missing file is ignored
 *
 * Call this function before trace-cmd writes the file, because trace-cmd keeps the owner and the mode of an
 * existing file.
 */
void output_make_private(const char *file);

/*
 * Make a file readable only for root while trace-cmd is writing it. Unlike output_make_private(), this
 * function keeps the content of the file.
 */
void output_restrict(const char *file);

/**
 * output_check_written - check that the finished file is complete
 * @file: its name
 * @has_entries: true if entries were recorded, so that a complete file has at least one entry
 * @err: set to the reason if the file is not complete
 *
 * trace-cmd does not notice a full disk. This function checks that the file's headers can be read, and the
 * first entry if there must be one. The headers alone are not sufficient: if the disk was full, trace-cmd
 * leaves the data of all CPUs out of the headers, and a file without data looks complete. Returns 0 or -1.
 */
int output_check_written(const char *file, bool has_entries, struct err *err);

/*
 * Return the total size of the per-CPU parts in bytes. During the recording, this is the size of the recorded
 * data.
 */
unsigned long long output_size(const struct output *output);

/*
 * Return the name of the head of @file, FILE.head, to be freed. The head is the beginning of a trace file,
 * which a recording with --persistent writes in advance (see modes/persistent.h).
 */
char *output_head(const char *file);

/* Append the names of all per-CPU parts NAME.cpuN that exist to @parts, in the order of CPUs. */
void output_parts(const char *name, struct strings *parts);

/**
 * output_restore - make the output file from the parts that a killed trace-cmd has left
 * @output: the file
 * @trace_cmd: path of the real trace-cmd
 *
 * Runs "trace-cmd restore". The module must still be loaded, because trace-cmd reads the formats of the
 * module's events. If the file is complete, remove the parts and return true. Otherwise, or if there are no
 * parts, keep them and return false.
 */
bool output_restore(const struct output *output, const char *trace_cmd);

/* Run a command and discard its output. Return true if its exit status is 0. */
bool output_run_quietly(const struct strings *command);

/*
 * Remove the files that this recording has written, but no files that existed before. Call this function
 * after a failure.
 */
void output_discard(const struct output *output);

#endif
