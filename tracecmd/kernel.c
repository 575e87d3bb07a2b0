// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "held.h"
#include "kernel.h"

void kernel_open(struct kernel *kernel, const char *tracefs)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->tracefs = tracefs;
	kernel->types = btf_open(BTF_DIR);
	held_read(tracefs, &kernel->held);
}

void kernel_close(struct kernel *kernel)
{
	btf_close(kernel->types);
	functions_free(&kernel->functions);
	strings_free(&kernel->held);
}
