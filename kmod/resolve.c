// SPDX-License-Identifier: GPL-2.0
/*
 * resolve.c - from a function's name to the address that ftrace knows it by
 *
 * kprobes look a name up for modules; one registered disabled changes nothing in the kernel. Taking
 * it away waits for an RCU grace period, so they are kept and taken away together. Registering one looks at
 * each jump label of the kernel; so user space may give the addresses that were found before.
 *
 * Called with session_lock held, which guards what is kept.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/ibt.h>

#include "resolve.h"

static struct kprobe *kept[256];
static unsigned int nr_kept;

/**
 * struct place - a function of the kernel itself that need not be looked up
 * @name: what the kernel calls it
 * @func: where it starts
 * @ip: where ftrace has it
 */
struct place {
	const char *name;
	unsigned long func;
	unsigned long ip;
};

static struct place *places;
static u32 nr_places;

/*
 * "name+0x4/0x80", and " [module]" after it for a module's. ftrace takes any address within its call for that
 * place, and calls nobody back with it: what is not behind the ENDBR, as nearly all are, is looked up.
 */
static int add_place(unsigned long ip)
{
	char symbol[KSYM_SYMBOL_LEN], *plus;
	unsigned long offset;

	sprint_symbol(symbol, ip);
	plus = strchr(symbol, '+');
	if (!plus || strchr(plus, '[') || sscanf(plus, "+%lx/", &offset) != 1 ||
	    offset != ENDBR_INSN_SIZE)
		return 0;
	*plus = '\0';
	places[nr_places] = (struct place){
		.name = kstrdup(symbol, GFP_KERNEL),
		.func = ip - offset,
		.ip = ip,
	};
	if (!places[nr_places].name)
		return -ENOMEM;
	nr_places++;
	return 0;
}

static int add_places(unsigned long *ips, u32 nr)
{
	/* ftrace's word for it that it has them. */
	static struct ftrace_ops asking;
	int err = ftrace_set_filter_ips(&asking, ips, nr, 0, 1);
	u32 i;

	ftrace_set_filter(&asking, NULL, 0, 1);
	places = err ? NULL : kvcalloc(nr, sizeof(*places), GFP_KERNEL);
	if (!places)
		return err ?: -ENOMEM;
	for (i = 0; i < nr && !err; i++)
		err = add_place(ips[i]);
	return err;
}

/* None is known any more. */
void resolve_forget(void)
{
	while (nr_places)
		kfree(places[--nr_places].name);
	kvfree(places);
	places = NULL;
}

/**
 * resolve_set() - functions that need not be looked up
 * @want: as user space says it
 *
 * Return: as the documentation of struct record_skb_addresses says, or -ENOMEM; then none is known.
 */
int resolve_set(const struct record_skb_addresses *want)
{
	unsigned long *ips;
	int err;

	if (!want->nr_functions || want->nr_functions > RECORD_SKB_MAX_ADDRESSES || want->reserved)
		return -EINVAL;
	ips = vmemdup_user(u64_to_user_ptr(want->functions), want->nr_functions * sizeof(*ips));
	if (IS_ERR(ips))
		return PTR_ERR(ips);
	resolve_forget();
	err = add_places(ips, want->nr_functions);
	kvfree(ips);
	if (err)
		resolve_forget();
	return err;
}

static int look_up(struct kprobe want, unsigned long *ip)
{
	struct kprobe *kp;
	int err;

	want.flags = KPROBE_FLAG_DISABLED;
	kp = kmemdup(&want, sizeof(want), GFP_KERNEL);
	if (!kp)
		return -ENOMEM;
	err = register_kprobe(kp);
	if (err) {
		kfree(kp);
		return err == -ENOENT || err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	*ip = (unsigned long)kp->addr;
	/* It is registered by its address; the name is the caller's. */
	kp->symbol_name = NULL;
	if (nr_kept == ARRAY_SIZE(kept))
		resolve_done();
	kept[nr_kept++] = kp;
	return kp->flags & KPROBE_FLAG_FTRACE ? 0 : -EOPNOTSUPP;
}

/**
 * resolve() - look a kernel or module function up
 * @func: its name
 * @ip: set to where ftrace has the function
 *
 * Call resolve_done() when the last one is looked up.
 *
 * Return: 0; -ENOENT if there is no such function; -EOPNOTSUPP if ftrace does not have it, or
 * kprobes will not have it (its text is part of the tracing itself); -ENOMEM.
 */
int resolve(const char *func, unsigned long *ip)
{
	u32 i;

	for (i = 0; i < nr_places; i++)
		if (!strcmp(places[i].name, func)) {
			*ip = places[i].ip;
			return 0;
		}
	return look_up((struct kprobe){ .symbol_name = func }, ip);
}

/**
 * resolve_address() - resolve() for a function that is known by its address
 * @func: where it starts
 * @ip: as there
 */
int resolve_address(unsigned long func, unsigned long *ip)
{
	u32 i;

	for (i = 0; i < nr_places; i++)
		if (places[i].func == func) {
			*ip = places[i].ip;
			return 0;
		}
	return look_up((struct kprobe){ .addr = (kprobe_opcode_t *)func }, ip);
}

/* Take away what the look-ups left in the kernel. */
void resolve_done(void)
{
	unsigned int i;

	if (!nr_kept)
		return;
	unregister_kprobes(kept, nr_kept);
	for (i = 0; i < nr_kept; i++)
		kfree(kept[i]);
	nr_kept = 0;
}
