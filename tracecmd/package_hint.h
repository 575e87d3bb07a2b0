/* SPDX-License-Identifier: GPL-2.0 */
/* package_hint.h - the command that installs a package on this distribution */
#ifndef _RECORD_SKB_PACKAGE_HINT_H
#define _RECORD_SKB_PACKAGE_HINT_H

/* The file that identifies the distribution. */
#define OS_RELEASE "/etc/os-release"

/*
 * Return the shell command that installs @package on the distribution that the file @os_release names, to be
 * freed. For an unknown distribution, return a description of the package.
 */
char *package_hint(const char *os_release, const char *package);

/*
 * Return the shell command that installs the headers of kernel @release. Otherwise the same as
 * package_hint().
 */
char *package_hint_headers(const char *os_release, const char *release);

#endif
