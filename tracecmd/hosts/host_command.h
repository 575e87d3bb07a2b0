/* SPDX-License-Identifier: GPL-2.0 */
/* host_command.h - the hosts of --on: their names, their files, and the command for the shell of a host */
#ifndef _RECORD_SKB_HOST_COMMAND_H
#define _RECORD_SKB_HOST_COMMAND_H

#include "err.h"
#include "text.h"

/**
 * hosts_parse - split the values of --on
 * @values: lists of hosts, with commas between them
 * @hosts: receives the hosts
 * @err: set to the reason on failure
 *
 * Refuses names that ssh could take for an option, names with blanks or control characters, and a host that
 * is given twice. Returns 0 or -1.
 */
int hosts_parse(const struct strings *values, struct strings *hosts, struct err *err);

/*
 * Return the file for the recording of @host: "trace.dat" becomes "trace-HOST.dat". Characters that are
 * unusual in the name of a file become "_".
 */
char *host_file(const char *output, const char *host);

/*
 * Return the command for the shell of a host: record with the options @args into the file called @name. A
 * user other than root runs it with sudo. A POSIX shell does not interpret anything in @args.
 */
char *host_command(const struct strings *args, const char *name);

/* Split RECORD_SKB_SSH at blanks, or use "ssh", and append the options that --on needs and the host. */
void host_ssh(const char *program, const char *host, struct strings *words);

#endif /* _RECORD_SKB_HOST_COMMAND_H */
