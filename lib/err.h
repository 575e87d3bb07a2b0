/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_ERR_H
#define _RECORD_SKB_ERR_H

/* What the program exits with when it is the program that failed, as env(1) and nohup(1) have it. */
#define EXIT_OURS	125
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND	127

/**
 * struct err - why something failed, in one line for the user
 * @text: the line, without the program's name and without a newline
 * @status: what the program should exit with, EXIT_OURS unless said otherwise
 */
struct err {
	char text[768];
	int status;
};

/**
 * err_set - say why
 * @err: where to
 * @fmt: as printf(3); what was wrong, and what to do about it
 *
 * Returns -1, so that "return err_set(...)" is all that a failing function needs.
 */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
