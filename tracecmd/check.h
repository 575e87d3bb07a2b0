/* SPDX-License-Identifier: GPL-2.0 */
/*
 * check.h - --check: print if a recording is possible here, and how to install or enable missing parts with
 * the package manager of this distribution
 */
#ifndef _RECORD_SKB_CHECK_H
#define _RECORD_SKB_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "err.h"

/* The file that tells which distribution this is. */
#define OS_RELEASE "/etc/os-release"

/*
 * Return the shell command that installs @package on the distribution that the file @os_release names, to be
 * freed. For an unknown distribution, return a text that tells the user to install the package.
 */
char *package_hint(const char *os_release, const char *package);

/*
 * Return the shell command that installs the headers of the kernel @release, to be freed. In all else, the
 * function works as package_hint().
 */
char *package_hint_headers(const char *os_release, const char *release);

/* Append a hint to try --check to the message @err, which says why a recording cannot start. Returns -1. */
int check_add_hint(struct err *err);

/*
 * Do all checks and print one line for each, without changing the system. Return true if a recording is
 * possible.
 */
bool check_print(FILE *out);

#endif
