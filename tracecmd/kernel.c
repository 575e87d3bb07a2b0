// SPDX-License-Identifier: GPL-2.0
/* What the running kernel has, for those who choose functions from it. */
#include <string.h>

#include "kernel.h"
#include "redirected.h"

void kernel_open(struct kernel *kernel)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->types = btf_open(BTF_DIR);
	redirected_read(&kernel->redirected);
}

void kernel_close(struct kernel *kernel)
{
	btf_close(kernel->types);
	functions_free(&kernel->functions);
	strings_free(&kernel->redirected);
}
