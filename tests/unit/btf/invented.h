/* SPDX-License-Identifier: GPL-2.0 */
/* invented.h - a kernel for the tests: a few types, functions with them, and a module's */
#ifndef INVENTED_H
#define INVENTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel.h"

/**
 * struct invented - the kernel's files, below a directory of their own
 * @dir: has available_filter_functions and enabled_functions, as tracefs
 * @types: has vmlinux and mod, as /sys/kernel/btf
 * @kernel: as the subcommand sees it
 */
struct invented {
	char *dir;
	char *types;
	struct kernel kernel;
};

extern struct invented invented;

/* Set up and tear down a group of tests. */
int invent(void **state);
int forget(void **state);

/* Replace a file of @invented.dir. */
void invented_write(const char *file, const char *text);

int run_prototype_tests(void);
int run_point_check_tests(void);
int run_graph_functions_tests(void);

#endif
