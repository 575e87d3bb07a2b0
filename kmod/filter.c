// SPDX-License-Identifier: GPL-2.0
/* filter.c - the programs that say which packets are wanted, from user space's instructions */
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter.h"

static int create_program(struct bpf_prog **prog, u64 insns, u16 len)
{
	struct sock_fprog_kern fprog = { .len = len };
	size_t size = len * sizeof(struct sock_filter);
	int err;

	if (!len)
		return 0;
	if (len > BPF_MAXINSNS)
		return -EINVAL;
	fprog.filter = memdup_user(u64_to_user_ptr(insns), size);
	if (IS_ERR(fprog.filter))
		return PTR_ERR(fprog.filter);
	err = bpf_prog_create(prog, &fprog);
	kfree(fprog.filter);
	return err;
}

/**
 * filter_create() - make the programs
 * @f: set to them; for filter_destroy() if that is how it ends
 * @want: as user space says them
 *
 * Return: 0, or as the documentation of struct record_skb_filter says; then @f is empty.
 */
int filter_create(struct filter *f, const struct record_skb_filter *want)
{
	int err;

	*f = (struct filter) {};
	if (want->reserved)
		return -EINVAL;
	err = create_program(&f->raw, want->raw, want->raw_len) ?:
	      create_program(&f->ll, want->ll, want->ll_len) ?:
	      create_program(&f->at_data, want->at_data, want->at_data_len);
	if (err)
		filter_destroy(f);
	return err;
}

static void destroy_program(struct bpf_prog *prog)
{
	if (prog)
		bpf_prog_destroy(prog);
}

/* Nobody runs them any more. */
void filter_destroy(struct filter *f)
{
	destroy_program(f->raw);
	destroy_program(f->ll);
	destroy_program(f->at_data);
	*f = (struct filter) {};
}
