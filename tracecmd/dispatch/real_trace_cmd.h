/* SPDX-License-Identifier: GPL-2.0 */
/* real_trace_cmd.h - find the real trace-cmd, which the dispatcher hides, and other programs on PATH */
#ifndef _RECORD_SKB_REAL_TRACE_CMD_H
#define _RECORD_SKB_REAL_TRACE_CMD_H

/* Environment variable in which the user can give the path of the real trace-cmd. */
#define REAL_TRACE_CMD "RECORD_SKB_TRACE_CMD"

/**
 * real_trace_cmd - find the real trace-cmd, which the dispatcher hides
 *
 * If the user has set %REAL_TRACE_CMD, this is the path. Otherwise, use the trace-cmd that "make install" has
 * found. Last, search PATH and the usual directories for a trace-cmd that is not a dispatcher. Returns the
 * path, to be freed, or NULL.
 */
char *real_trace_cmd(void);

/* Return the error message for the case that real_trace_cmd() has returned NULL. */
const char *real_trace_cmd_lacks(void);

/**
 * find_program - find the file of a program as execvp(3) does
 * @name: name of the program; a path if it contains a slash
 * @error: if the function returns NULL, set to the errno with which executing the program would fail
 *
 * Returns the path of the file, to be freed, or NULL.
 */
char *find_program(const char *name, int *error);

/* Return the directory of this program, to be freed; NULL if it is unknown. */
char *own_directory(void);

#endif
