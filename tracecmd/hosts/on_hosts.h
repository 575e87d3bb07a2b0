/* SPDX-License-Identifier: GPL-2.0 */
/* on_hosts.h - record on several hosts together (--on), through ssh(1) */
#ifndef _RECORD_SKB_ON_HOSTS_H
#define _RECORD_SKB_ON_HOSTS_H

#include "err.h"
#include "record_options.h"

/**
 * on_hosts_record - record on all hosts of --on, and fetch their files
 * @o: the user's options, with --on
 * @status: set to the exit status of this program
 * @err: set to the reason on failure
 *
 * If a host fails, the other hosts continue. Returns 0, or -1 if no host could be started.
 */
int on_hosts_record(const struct options *o, int *status, struct err *err);

#endif /* _RECORD_SKB_ON_HOSTS_H */
