/* SPDX-License-Identifier: GPL-2.0 */
/* Find programs: the real trace-cmd behind the dispatcher, and those of a command line. */
#ifndef _RECORD_SKB_REAL_TRACE_CMD_H
#define _RECORD_SKB_REAL_TRACE_CMD_H

/* The variable of the environment that says which trace-cmd is the real one. */
#define REAL_TRACE_CMD "RECORD_SKB_TRACE_CMD"

/**
 * real_trace_cmd - find the trace-cmd that the dispatcher stands before
 *
 * It is what %REAL_TRACE_CMD says; else what make install found; else the first one on PATH, and after that
 * in the usual places, that is not a dispatcher of ours, whatever links lead there.
 * Returns its path, for the caller to free, or NULL.
 */
char *real_trace_cmd(void);

/* Why there is none. */
const char *real_trace_cmd_lacks(void);

/**
 * find_program - look a program up as execvp(3) does
 * @name: with a slash it is a path
 * @error: set to the errno that executing it would give, if it is not found
 *
 * Returns its path, for the caller to free, or NULL.
 */
char *find_program(const char *name, int *error);

/* The directory this program is in, for the caller to free; NULL if that cannot be known. */
char *own_directory(void);

#endif
