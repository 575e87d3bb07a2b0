/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_KERNEL_NAMES_H
#define _REPORT_SKB_KERNEL_NAMES_H

#include <event-parse.h>

#include "err.h"

struct kernel_names;

/*
 * Functions of this kernel for whoever asks @tep, one by one from the module: all symbols take long to
 * read. It must outlive @tep.
 */
struct kernel_names *kernel_names_open(struct tep_handle *tep, struct err *err);
void kernel_names_close(struct kernel_names *names);

#endif
