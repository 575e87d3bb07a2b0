// SPDX-License-Identifier: GPL-2.0
/*
 * kallsyms.c - look up functions and tracepoints of the kernel by name
 *
 * A function is looked up for the address of its ftrace site. kallsyms_lookup_name() is not exported to
 * modules, but register_kprobe() also looks up a function by its name. Registering a kprobe as disabled
 * changes no code of the kernel. Unregistering waits for an RCU grace period, so the kprobes of all lookups
 * are kept and unregistered together. Registering a kprobe is slow, because it searches all jump labels of
 * the kernel. Therefore user space may pass addresses that it knows.
 *
 * The caller of each function except tracepoint_named() holds session_lock, which protects the data of this
 * file.
 */
#include <asm/ibt.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "kallsyms.h"

static struct kprobe *kept[256];
static unsigned int nr_kept;

/**
 * struct place - a function of the kernel image with an address that user space has passed
 * @name: name of the function
 * @func: address of the function
 * @ip: address of its ftrace site
 */
struct place {
	const char *name;
	unsigned long func;
	unsigned long ip;
};

static struct place *places;
static u32 nr_places;

/*
 * Store an address from user space. sprint_symbol() returns "name+0x4/0x80", followed by " [module]" for a
 * module. An ftrace filter accepts any address inside the call instruction of a site, but callbacks get the
 * address of the start of this instruction. Nearly all sites come directly after the ENDBR instruction. An
 * address with another offset is not stored, and the function is looked up later.
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
	/*
	 * This ftrace_ops is never registered. Setting its filter fails if ftrace does not know one of the
	 * addresses.
	 */
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

/* Forget all addresses that user space passed. */
void kallsyms_forget(void)
{
	while (nr_places)
		kfree(places[--nr_places].name);
	kvfree(places);
	places = NULL;
}

/**
 * kallsyms_set() - set addresses of functions that need not be looked up
 * @want: the addresses, as passed by user space
 *
 * Return: 0; an error as documented for struct record_skb_addresses; or -ENOMEM. After an error, no
 * addresses are stored.
 */
int kallsyms_set(const struct record_skb_addresses *want)
{
	unsigned long *ips;
	int err;

	if (!want->nr_functions || want->nr_functions > RECORD_SKB_MAX_ADDRESSES || want->reserved)
		return -EINVAL;
	ips = vmemdup_user(u64_to_user_ptr(want->functions), want->nr_functions * sizeof(*ips));
	if (IS_ERR(ips))
		return PTR_ERR(ips);
	kallsyms_forget();
	err = add_places(ips, want->nr_functions);
	kvfree(ips);
	if (err)
		kallsyms_forget();
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
	/* The kprobe has an address now and does not need the name, which the caller may free. */
	kp->symbol_name = NULL;
	if (nr_kept == ARRAY_SIZE(kept))
		kallsyms_done();
	kept[nr_kept++] = kp;
	return kp->flags & KPROBE_FLAG_FTRACE ? 0 : -EOPNOTSUPP;
}

/**
 * kallsyms_find() - look up a function of the kernel or of a module
 * @func: name of the function
 * @ip: set to the address of its ftrace site
 *
 * Call kallsyms_done() after the last lookup.
 *
 * Return: 0; -ENOENT if the function does not exist; -EOPNOTSUPP if ftrace cannot trace it or kprobes
 * refuse it, because it is part of the tracing code; -ENOMEM.
 */
int kallsyms_find(const char *func, unsigned long *ip)
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
 * kallsyms_address() - find the ftrace site of a function at a known address
 * @func: address of the function
 * @ip: set to the address of its ftrace site
 *
 * Return: as kallsyms_find().
 */
int kallsyms_address(unsigned long func, unsigned long *ip)
{
	u32 i;

	for (i = 0; i < nr_places; i++)
		if (places[i].func == func) {
			*ip = places[i].ip;
			return 0;
		}
	return look_up((struct kprobe){ .addr = (kprobe_opcode_t *)func }, ip);
}

/* Unregister the kprobes of the lookups. */
void kallsyms_done(void)
{
	unsigned int i;

	if (!nr_kept)
		return;
	unregister_kprobes(kept, nr_kept);
	for (i = 0; i < nr_kept; i++)
		kfree(kept[i]);
	nr_kept = 0;
}

struct search {
	const char *name;
	struct tracepoint *found;
};

static void look_at(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

/**
 * tracepoint_named() - find a tracepoint of the kernel image, which may not be exported to modules
 * @name: name of the tracepoint
 *
 * Return: the tracepoint, which is never freed; NULL if this kernel does not have it.
 */
struct tracepoint *tracepoint_named(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(look_at, &search);
	return search.found;
}
