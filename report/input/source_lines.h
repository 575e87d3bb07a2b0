/* SPDX-License-Identifier: GPL-2.0 */
/*
 * source_lines.h - look up source lines of the recorded kernel in its debug information
 *
 * A line is returned only if it is certain. The debug information must have the build ID of the recorded
 * kernel or module, or the same release if the build IDs cannot be compared. It must have exactly one
 * function with the recorded name. Without libdw, no line is found.
 */
#ifndef _RECORD_SKB_SOURCE_LINES_H
#define _RECORD_SKB_SOURCE_LINES_H

#include <stdint.h>
#include <stdio.h>
#include <event-parse.h>

#include "err.h"

/* Maximum length of a source line as text, including the null byte. */
#define SOURCE_LINE_LEN 160

struct source_lines;

/*
 * Search the file @path for the kernel's functions, instead of the files in the usual places. @path must stay
 * valid. Return: -1 if this program was built without libdw.
 */
int source_lines_set_vmlinux(const char *path, struct err *err);

/**
 * source_lines_new - prepare to look up source lines; no file is opened yet
 * @tep: has the build IDs of the recorded kernel; must stay valid until source_lines_free()
 * @machine: the words of uname(2) in the file: system, host, release, architecture; NULL if not known
 *
 * Return: the object; NULL if there is not enough memory.
 */
struct source_lines *source_lines_new(struct tep_handle *tep, const char *machine);
void source_lines_free(struct source_lines *lines);

/**
 * source_lines_find - look up the source line of a call
 * @lines: the object; NULL for none, so that no line is found
 * @address: any address in the function
 * @function: name of the function
 * @offset: return address of the call, as an offset from the start of the function
 * @line: buffer for the text, such as "net/ipv4/ip_input.c:345"
 *
 * Return: @line; NULL if the line is not known.
 */
const char *source_lines_find(struct source_lines *lines, uint64_t address, const char *function,
			      uint32_t offset, char line[SOURCE_LINE_LEN]);

/*
 * Print the files that were used or compared, and the result of the comparison with the recorded kernel.
 * Files from another build were not used, but they are printed, too.
 */
void source_lines_print_files(FILE *out, const struct source_lines *lines);

#endif
