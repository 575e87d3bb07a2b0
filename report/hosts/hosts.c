// SPDX-License-Identifier: GPL-2.0
/* hosts.c - the hosts of joined recordings, and numbers that only one of them uses */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "hash_table.h"
#include "hosts/hosts.h"

/* Limits of the Linux kernel: PID_MAX_LIMIT is 2^22, and no kernel can be built for more than 2^13 CPUs. */
#define PID_BITS 22
#define CPU_BITS 13
/*
 * Maximum number of namespaces of all hosts except the first one. The numbers of these namespaces are smaller
 * than the inode numbers of namespaces, which begin at 0xf0000000.
 */
#define MAX_NETNS 65536

/*
 * The hosts, which are added before any row is read. They are global, because a report has only one set of
 * hosts.
 */
static struct {
	char name[HOST_NAME_LEN + 1];
	char text[ESCAPED_LEN(HOST_NAME_LEN)];
} hosts[MAX_HOSTS];
static unsigned int nr_hosts;

/* The namespaces of all hosts except the first one. The number of a namespace is its index + 1. */
static struct netns {
	unsigned int host;
	uint32_t inode;
} * namespaces;
static uint32_t nr_namespaces;

/* Table of the numbers of these namespaces, by host and inode number. */
static struct table netns_numbers;

int hosts_add(const char *name)
{
	char *own = hosts[nr_hosts].name;

	if (nr_hosts == MAX_HOSTS)
		return -1;
	snprintf(own, HOST_NAME_LEN + 1, "%s", *name ? name : "host");
	for (unsigned int n = 2; hosts_find(own) >= 0; n++)
		snprintf(own, HOST_NAME_LEN + 1, "%.*s-%u", HOST_NAME_LEN - 8,
			 *name ? name : "host", n);
	escape_text(hosts[nr_hosts].text, sizeof(hosts[nr_hosts].text), own);
	return nr_hosts++;
}

unsigned int hosts_count(void)
{
	return nr_hosts;
}

const char *hosts_name(unsigned int host)
{
	return host < nr_hosts ? hosts[host].text : "?";
}

int hosts_find(const char *name)
{
	for (unsigned int i = 0; i < nr_hosts; i++) {
		if (!strcmp(hosts[i].name, name))
			return i;
	}
	return -1;
}

int hosts_task(unsigned int host, int pid)
{
	return pid > 0 ? (int)(host << PID_BITS) + pid : pid;
}

int hosts_cpu(unsigned int host, int cpu)
{
	return cpu >= 0 ? (int)(host << CPU_BITS) + cpu : cpu;
}

/*
 * All bits in the upper byte of a kernel address are set. So an address with another upper byte differs from
 * all kernel addresses.
 */
uint64_t hosts_skb(unsigned int host, uint64_t skb)
{
	return skb ? skb ^ (uint64_t)host << 56 : 0;
}

/*
 * The kernel assigns cookies from 1 upwards, and bit 63 marks the cookie of a packet socket
 * (RECORD_SKB_NETNS_SOCKET). So bits 56 to 61 of a cookie are 0 and can contain the host, which is below
 * MAX_HOSTS.
 */
uint64_t hosts_cookie(unsigned int host, uint64_t cookie)
{
	return cookie ? cookie ^ (uint64_t)host << 56 : 0;
}

/*
 * Numbers of calls are only tested for equality. The calls of one host keep different numbers. Calls of two
 * hosts can get equal numbers only after 2^26 calls.
 */
uint32_t hosts_call(unsigned int host, uint32_t call)
{
	return call ? call ^ host << 26 : 0;
}

static uint32_t add_netns(unsigned int host, uint32_t inode, struct table_key key)
{
	struct netns *more = NULL;
	uint32_t *number;

	if (nr_namespaces < MAX_NETNS)
		more = realloc(namespaces, (nr_namespaces + 1) * sizeof(*namespaces));
	if (!more)
		return 0;
	namespaces = more;
	number = table_add(&netns_numbers, key, malloc(sizeof(*number)));
	if (!number)
		return 0;
	namespaces[nr_namespaces] = (struct netns){ .host = host, .inode = inode };
	return *number = ++nr_namespaces;
}

uint32_t hosts_netns(unsigned int host, uint32_t inode)
{
	const struct table_key key = { .number = (uint64_t)host << 32 | inode };
	const uint32_t *number;

	if (!host || !inode)
		return inode;
	number = table_find(&netns_numbers, key);
	return number ? *number : add_netns(host, inode, key);
}

int hosts_pid_of_task(int task)
{
	return task > 0 ? task & ((1 << PID_BITS) - 1) : task;
}

unsigned int hosts_of_task(int task)
{
	return task > 0 ? (unsigned int)task >> PID_BITS : 0;
}

int hosts_cpu_of_cpu(int cpu)
{
	return cpu > 0 ? cpu & ((1 << CPU_BITS) - 1) : cpu;
}

unsigned int hosts_of_cpu(int cpu)
{
	return cpu > 0 ? (unsigned int)cpu >> CPU_BITS : 0;
}

uint32_t hosts_inode_of_netns(uint32_t netns)
{
	return netns && netns <= nr_namespaces ? namespaces[netns - 1].inode : netns;
}

unsigned int hosts_of_netns(uint32_t netns)
{
	return netns && netns <= nr_namespaces ? namespaces[netns - 1].host : 0;
}

const char *words_on_host(char *buf, int task)
{
	buf[0] = '\0';
	if (nr_hosts && task > 0)
		snprintf(buf, ON_HOST_LEN, " on %s", hosts_name(hosts_of_task(task)));
	return buf;
}

const char *words_on_host_of_cpu(char *buf, int cpu)
{
	buf[0] = '\0';
	if (nr_hosts && cpu >= 0)
		snprintf(buf, ON_HOST_LEN, " on %s", hosts_name(hosts_of_cpu(cpu)));
	return buf;
}

static uint64_t clock_errors[MAX_HOSTS];

void hosts_set_clock_error(unsigned int host, uint64_t ns)
{
	clock_errors[host] = ns;
}

uint64_t hosts_clock_error(unsigned int one, unsigned int other)
{
	uint64_t a, b;

	if (one == other)
		return 0;
	if (one >= MAX_HOSTS || other >= MAX_HOSTS)
		return CLOCK_ERROR_UNKNOWN;
	a = clock_errors[one];
	b = clock_errors[other];
	return a == CLOCK_ERROR_UNKNOWN || b == CLOCK_ERROR_UNKNOWN ? CLOCK_ERROR_UNKNOWN : a + b;
}
