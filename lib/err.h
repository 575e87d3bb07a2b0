/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_ERR_H
#define _RECORD_SKB_ERR_H

/* Exit codes for failures of the program itself, as in env(1) and nohup(1). */
#define EXIT_OURS	125
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND	127

/**
 * struct err - an error message for the user
 * @text: one line, without the program's name and without a newline
 * @status: exit code of the program; EXIT_OURS unless the caller changes it
 */
struct err {
	char text[768];
	int status;
};

/**
 * err_set - store an error message
 * @err: receives the message
 * @fmt: format as in printf(3); says what failed and what the user can do
 *
 * Return: -1, so that a failing function can end with "return err_set(...)".
 */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
