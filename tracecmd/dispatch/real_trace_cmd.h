/* SPDX-License-Identifier: GPL-2.0 */
/* real_trace_cmd.h - find the real trace-cmd behind the dispatcher, and other programs on PATH */
#ifndef _RECORD_SKB_REAL_TRACE_CMD_H
#define _RECORD_SKB_REAL_TRACE_CMD_H

/* Environment variable by which the user can set the path of the real trace-cmd. */
#define REAL_TRACE_CMD "RECORD_SKB_TRACE_CMD"

/**
 * real_trace_cmd - find the real trace-cmd behind the dispatcher
 *
 * The candidates are, in this order: the path in %REAL_TRACE_CMD; the trace-cmd that "make install" has
 * found; and the first trace-cmd that is not a dispatcher on PATH or in the usual directories. Returns its
 * path, to be freed, or NULL.
 */
char *real_trace_cmd(void);

/* Return the error message for the case that no real trace-cmd is found. */
const char *real_trace_cmd_lacks(void);

/**
 * find_program - find the file of a program as execvp(3) does
 * @name: name of the program; a path if it contains a slash
 * @error: set to the errno with which executing the program would fail, if NULL is returned
 *
 * Returns its path, to be freed, or NULL.
 */
char *find_program(const char *name, int *error);

/* Return the directory of this program, to be freed; NULL if it is unknown. */
char *own_directory(void);

#endif
