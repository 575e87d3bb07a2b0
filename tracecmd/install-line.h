/* SPDX-License-Identifier: GPL-2.0 */
/* How a package is installed here. */
#ifndef _RECORD_SKB_INSTALL_LINE_H
#define _RECORD_SKB_INSTALL_LINE_H

/* Where a distribution says which one it is. */
#define OS_RELEASE "/etc/os-release"

/* The command for it, to be freed; for a distribution that @os_release does not tell, words. */
char *install_line(const char *os_release, const char *package);

/* The same for the headers of kernel @release. */
char *install_headers_line(const char *os_release, const char *release);

#endif
