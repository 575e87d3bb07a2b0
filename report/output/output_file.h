/* SPDX-License-Identifier: GPL-2.0 */
/* output_file.h - open and close a file that an option names, such as --html FILE */
#ifndef _RECORD_SKB_OUTPUT_FILE_H
#define _RECORD_SKB_OUTPUT_FILE_H

#include <stdio.h>

#include "err.h"

/**
 * output_file_open - open a file for writing. An existing file is overwritten, but not if it is a recording
 * @path: name of the file; "-" is standard output
 * @recording: name of the recording, which must not be overwritten
 * @option: the option that names the file, for messages
 * @err: set on failure
 *
 * Call this function after the recording was opened, so that a wrong command line does not empty the file.
 *
 * Return: the file; NULL on failure.
 */
FILE *output_file_open(const char *path, const char *recording, const char *option,
		       struct err *err);

/* Close the file. Return: 0; -1 if any write to it failed. */
int output_file_close(FILE *file, const char *path, struct err *err);

#endif
