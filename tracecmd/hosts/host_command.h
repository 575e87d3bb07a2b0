/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host_command.h - the hosts of --on: parse their names, and make the names of their files and the commands
 * for them
 */
#ifndef _RECORD_SKB_HOST_COMMAND_H
#define _RECORD_SKB_HOST_COMMAND_H

#include "err.h"
#include "text.h"

/**
 * hosts_parse - split the values of --on into names of hosts
 * @values: the values; each is a list of hosts with commas between them
 * @hosts: the names of the hosts are appended to this list
 * @err: set to the reason on failure
 *
 * Rejects a name that ssh could take for an option, a name with blanks or control characters, and a host that
 * is given twice. Returns 0 or -1.
 */
int hosts_parse(const struct strings *values, struct strings *hosts, struct err *err);

/*
 * Return the name of the file to which the recording of @host is written on this machine: from "trace.dat",
 * make "trace-HOST.dat". Characters that are unusual in the name of a file become "_".
 */
char *host_file(const char *output, const char *host);

/*
 * Return the command for the shell of a host: record with the options @args into the file @name. If the user
 * there is not root, the command uses sudo. The words of @args are quoted, so that a POSIX shell does not
 * interpret them.
 */
char *host_command(const struct strings *args, const char *name);

/*
 * Append the command line of ssh to @words: first @program, which can be several words, or "ssh" if @program
 * is NULL or empty; then the options of ssh that --on needs; then the host.
 */
void host_ssh(const char *program, const char *host, struct strings *words);

#endif /* _RECORD_SKB_HOST_COMMAND_H */
