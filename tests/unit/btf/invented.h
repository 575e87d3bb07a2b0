/* SPDX-License-Identifier: GPL-2.0 */
/*
 * invented.h - an invented kernel for the tests. It has a few types, functions that use these types, and a
 * module with functions.
 */
#ifndef INVENTED_H
#define INVENTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probes/kernel_functions.h"

/**
 * struct invented - files of the invented kernel, in a directory of the test
 * @dir: directory that replaces tracefs; it contains available_filter_functions and enabled_functions
 * @types: directory that replaces /sys/kernel/btf; it contains vmlinux and mod
 * @kernel: the kernel as trace-cmd record-skb sees it
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

/* Replace the contents of a file in @invented.dir. */
void invented_write(const char *file, const char *text);

int run_prototype_tests(void);
int run_point_check_tests(void);
int run_graph_functions_tests(void);

#endif
