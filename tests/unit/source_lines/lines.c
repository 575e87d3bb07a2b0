// SPDX-License-Identifier: GPL-2.0
/*
 * lines.c - print the result of comparing a debug file with a recorded kernel, and source lines from the file
 *
 * Usage: lines FILE RELEASE BUILD-ID FUNCTION OFFSET...    "-" stands for an unknown release or build ID
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/debug_file.h"

static const char *known(const char *word)
{
	return strcmp(word, "-") ? word : NULL;
}

int main(int argc, char **argv)
{
	static const char *const results[] = { "no file", "same build", "same release",
					       "other build", "unusable" };
	struct debug_match match = { 0 };
	struct debug_file *file;
	char line[256];

	if (argc < 5)
		return 2;
	file = debug_file_open(&(struct debug_wanted){ .path = argv[1],
						       .release = known(argv[2]),
						       .build_id = known(argv[3]) },
			       &match);
	puts(results[match.result]);
	for (int i = 5; file && i < argc; i++)
		puts(debug_file_line(file, argv[4], strtoul(argv[i], NULL, 0), line, sizeof(line)) ?
			     line :
			     "?");
	debug_file_close(file);
	debug_match_free(&match);
	return 0;
}
