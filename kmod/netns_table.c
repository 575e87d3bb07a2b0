// SPDX-License-Identifier: GPL-2.0
/*
 * netns_table.c - the network namespaces in which matching packets were seen, and their names
 *
 * An ftrace callback adds a namespace at its first packet, and wakes the recorder. The recorder finds the
 * name in user space and passes it to the module, which writes it into the trace.
 */
#include <linux/cgroup.h>
#include <linux/irq_work.h>
#include <linux/nsproxy.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <net/net_namespace.h>

#include "netns_table.h"

/* A cookie is stored in one of this many successive slots. At most half of all slots are in use. */
#define PROBES 128

static DECLARE_WAIT_QUEUE_HEAD(readers);

static void wake_readers(struct irq_work *work)
{
	wake_up_all(&readers);
}

static struct irq_work wake;

struct netns_table *netns_table_new(void)
{
	return kvzalloc(sizeof(struct netns_table), GFP_KERNEL);
}

void netns_table_free(struct netns_table *table)
{
	u32 i;

	if (!table)
		return;
	for (i = 0; i < NETNS_MAX; i++)
		kfree(rcu_access_pointer(table->entry[i].label));
	kvfree(table);
}

/*
 * Return: true if the cookie was added to the slots; false if the slots contain the cookie already, or are
 * full.
 */
static bool take_slot(struct netns_table *table, u64 cookie)
{
	u64 was, *slot;
	u32 i;

	for (i = 0; i < PROBES; i++) {
		slot = &table->slot[(netns_slot(cookie) + i) % NETNS_SLOTS];
		was = READ_ONCE(*slot);
		if (!was && atomic_read(&table->nr_reserved) >= NETNS_MAX)
			return false;
		if (!was)
			was = cmpxchg64(slot, 0, cookie);
		if (!was || was == cookie)
			return !was;
	}
	return false;
}

/*
 * Store the running process if it is in the namespace. A container may have ended before the recorder looks
 * for its name. In that case, only this process tells which container it was.
 */
static void note_process(struct netns_entry *entry, const struct net *net)
{
	/* Only the task itself changes its nsproxy, which is NULL when the task exits. */
	const struct nsproxy *nsproxy = READ_ONCE(current->nsproxy);
	const struct task_struct *process;

	if (!nsproxy || nsproxy->net_ns != net)
		return;
	rcu_read_lock();
	process = current->group_leader;
	/*
	 * One thread of a process may enter the namespace alone. Then the process tells nothing about the
	 * namespace.
	 */
	if (READ_ONCE(process->nsproxy) != nsproxy) {
		rcu_read_unlock();
		return;
	}
	entry->pid = task_tgid_nr(current);
	/*
	 * If the process changes its name at this moment, the stored name may be a mixture of the old and the
	 * new name.
	 */
	memcpy(entry->comm, process->comm, sizeof(entry->comm));
	entry->comm[sizeof(entry->comm) - 1] = '\0';
#ifdef CONFIG_CGROUPS
	entry->cgroup = cgroup_id(task_dfl_cgroup(current));
#endif
	rcu_read_unlock();
}

/**
 * netns_table_add() - add a namespace unless the table has it
 * @table: the namespaces of a recording
 * @cookie: cookie of the namespace, not 0
 * @inum: its inode number
 * @net: the namespace; NULL for a packet socket
 *
 * Can be called in any context with preemption disabled.
 *
 * Return: true if the namespace is new.
 */
bool netns_table_add(struct netns_table *table, u64 cookie, u32 inum, const struct net *net)
{
	u32 nr;

	if (!take_slot(table, cookie))
		return false;
	nr = atomic_fetch_add(1, &table->nr_reserved);
	if (nr >= NETNS_MAX) {
		atomic_set(&table->nr_reserved, NETNS_MAX);
		return false;
	}
	table->entry[nr].inum = inum;
	table->entry[nr].is_host = net && net_eq(net, &init_net);
	if (net && !table->entry[nr].is_host)
		note_process(&table->entry[nr], net);
	/* Pairs with the acquire in nr_complete(). */
	smp_store_release(&table->entry[nr].cookie, cookie);
	irq_work_queue(&wake);
	return true;
}

/* Return: the number of complete entries. An entry is complete when its cookie is set. */
static u32 nr_complete(struct netns_table *table)
{
	u32 nr = READ_ONCE(table->nr);

	while (nr < NETNS_MAX && smp_load_acquire(&table->entry[nr].cookie))
		nr++;
	WRITE_ONCE(table->nr, nr);
	return nr;
}

/* Copy the namespace with the number @netns->index. The caller holds session_lock. Return: 0 or -ERANGE. */
int netns_table_get(struct netns_table *table, struct record_skb_netns *netns)
{
	const struct netns_entry *entry;

	if (netns->index >= nr_complete(table))
		return -ERANGE;
	entry = &table->entry[netns->index];
	*netns = (struct record_skb_netns){
		.index = netns->index,
		.inum = entry->inum,
		.cookie = entry->cookie,
		.is_host = entry->is_host,
		.kind = entry->pid ? RECORD_SKB_NETNS_PROCESS : RECORD_SKB_NETNS_SEEN,
		.cgroup = entry->cgroup,
	};
	if (entry->pid) {
		strscpy(netns->name, entry->comm, sizeof(netns->name));
		snprintf(netns->detail, sizeof(netns->detail), "%u", entry->pid);
	}
	if (netns->index >= table->nr_read)
		WRITE_ONCE(table->nr_read, netns->index + 1);
	return 0;
}

static bool is_terminated(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

/**
 * netns_table_name() - set or replace the name of a namespace
 * @table: the namespaces of a recording
 * @netns: the cookie and the name
 * @named: set to the entry of the namespace
 *
 * The caller holds session_lock.
 *
 * Return: 0, or a negative error as in record_skb.h.
 */
int netns_table_name(struct netns_table *table, const struct record_skb_netns *netns,
		     const struct netns_entry **named)
{
	const u32 nr = nr_complete(table);
	struct netns_label *label, *was;
	u32 i;

	if (!netns->kind || netns->kind >= RECORD_SKB_NETNS_KINDS ||
	    !is_terminated(netns->name, sizeof(netns->name)) ||
	    !is_terminated(netns->detail, sizeof(netns->detail)))
		return -EINVAL;
	for (i = 0; i < nr && table->entry[i].cookie != netns->cookie; i++)
		;
	if (i == nr)
		return -ENOENT;
	label = kzalloc(sizeof(*label), GFP_KERNEL);
	if (!label)
		return -ENOMEM;
	label->kind = netns->kind;
	strscpy(label->name, netns->name, sizeof(label->name));
	strscpy(label->detail, netns->detail, sizeof(label->detail));
	/*
	 * Free the previous name after a grace period, because emit_netns_names() may be reading it in an
	 * interrupt.
	 */
	was = rcu_replace_pointer(table->entry[i].label, label, true);
	if (was)
		kfree_rcu(was, rcu);
	*named = &table->entry[i];
	return 0;
}

/* Return: true if the table has namespaces that user space has not read yet. */
bool netns_table_poll(struct netns_table *table, struct file *file, struct poll_table_struct *wait)
{
	poll_wait(file, &readers, wait);
	return table && nr_complete(table) > READ_ONCE(table->nr_read);
}

void netns_table_init(void)
{
	init_irq_work(&wake, wake_readers);
}

/* Wait for the irq_work. All callbacks have ended. */
void netns_table_exit(void)
{
	irq_work_sync(&wake);
}
