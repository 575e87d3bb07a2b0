/* SPDX-License-Identifier: GPL-2.0 */
/* debug_file.h - a file with debug information of a kernel or of a module, read with libdw */
#ifndef _RECORD_SKB_DEBUG_FILE_H
#define _RECORD_SKB_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct debug_wanted - the recorded kernel or module
 * @path: a file to use instead of the files in the usual places; NULL for none
 * @module: name of the module; NULL for the kernel
 * @release: release of the kernel; NULL if not known
 * @build_id: build ID in hexadecimal digits; NULL if not known
 */
struct debug_wanted {
	const char *path, *module, *release, *build_id;
};

enum debug_result {
	DEBUG_NO_FILE,
	DEBUG_SAME_BUILD,
	DEBUG_SAME_RELEASE, /* same release, and no build IDs to compare */
	DEBUG_OTHER_BUILD,
	DEBUG_UNUSABLE, /* not a readable ELF file, or a file without build ID and release */
};

/* How a file was compared with the recorded kernel or module. @path is NULL if no file was found. */
struct debug_match {
	enum debug_result result;
	char *path;
};

struct debug_file;

/* Return: false if this program was built without libdw. Then no file can be opened. */
bool debug_file_is_supported(void);

/* Return: the file that belongs to the recorded kernel or module; NULL if none was found. */
struct debug_file *debug_file_open(const struct debug_wanted *wanted, struct debug_match *match);
void debug_file_close(struct debug_file *file);
void debug_match_free(struct debug_match *match);

/*
 * Find the source line that contains a call, and write this line to @line. @function + @offset is the return
 * address of the call.
 *
 * Return: false if the line is not known, or if the file has several functions with this name.
 */
bool debug_file_line(struct debug_file *file, const char *function, uint32_t offset, char *line,
		     size_t size);

#endif
