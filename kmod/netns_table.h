/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_NETNS_TABLE_H
#define RECORD_SKB_NETNS_TABLE_H

#include <linux/hash.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <record_skb.h>

struct file;
struct net;
struct poll_table_struct;

/* struct netns_label - the name of a namespace, from user space */
struct netns_label {
	struct rcu_head rcu;
	u8 kind;
	char name[RECORD_SKB_NETNS_NAME_LEN];
	char detail[RECORD_SKB_NETNS_DETAIL_LEN];
};

/*
 * struct netns_entry - a network namespace in which a matching packet was seen
 * @cookie: cookie of the namespace
 * @inum: inode number
 * @is_host: true for init_net
 * @pid: the process that ran when the first packet was seen, if it is in the namespace; 0 if not, and for
 *	init_net
 * @comm: name of this process
 * @cgroup: id of the cgroup (v2) of this process
 * @label: name of the namespace, NULL while it has none
 */
struct netns_entry {
	u64 cookie;
	u32 inum;
	bool is_host;
	u32 pid;
	char comm[TASK_COMM_LEN];
	u64 cgroup;
	struct netns_label __rcu *label;
};

/* Maximum number of namespaces in a recording. If packets are in more namespaces, the others get no names. */
#define NETNS_MAX	1024
#define NETNS_SLOT_BITS 11
#define NETNS_SLOTS	(1 << NETNS_SLOT_BITS)

/*
 * struct netns_table - the namespaces of a recording
 * @slot: hash table of the cookies, so that a known namespace is recognised at once
 * @entry: the namespaces in the order of their first packets
 * @nr_reserved: number of entries that are in use or being filled
 * @nr: number of entries that are complete
 * @nr_read: number of entries that user space has read
 */
struct netns_table {
	u64 slot[NETNS_SLOTS];
	struct netns_entry entry[NETNS_MAX];
	atomic_t nr_reserved;
	u32 nr;
	u32 nr_read;
};

struct netns_table *netns_table_new(void);
void netns_table_free(struct netns_table *table);
bool netns_table_add(struct netns_table *table, u64 cookie, u32 inum, const struct net *net);
int netns_table_get(struct netns_table *table, struct record_skb_netns *netns);
int netns_table_name(struct netns_table *table, const struct record_skb_netns *netns,
		     const struct netns_entry **named);
bool netns_table_poll(struct netns_table *table, struct file *file, struct poll_table_struct *wait);
void netns_table_init(void);
void netns_table_exit(void);

/*
 * Hash the cookie: each CPU assigns successive cookies, and without a hash, the cookies of two CPUs could
 * fill the same successive slots.
 */
static inline u32 netns_slot(u64 cookie)
{
	return hash_64(cookie, NETNS_SLOT_BITS);
}

/*
 * Return: true if the namespace is in the first slot for its cookie. If false, the namespace may still be in
 * another slot.
 */
static __always_inline bool netns_table_has(const struct netns_table *table, u64 cookie)
{
	return READ_ONCE(table->slot[netns_slot(cookie)]) == cookie;
}

#endif
