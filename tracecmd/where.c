// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "where.h"

#define OWN_NETNS	"/proc/self/ns/net"

/* The kernel gives no higher PID (PID_MAX_LIMIT), and inode numbers of namespaces start far above. */
#define MAX_PID		4194304UL

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

static unsigned int inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_ino;
}

/* Returns -1 if there is none at @path, or, unless @inode is 0, another one. */
static int open_path(char *path, unsigned long inode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	if (fd >= 0 && inode && inode_of(fd) != inode) {
		close(fd);
		fd = -1;
		errno = ENOENT;
	}
	return fd;
}

static int open_of_process(unsigned long inode)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int fd = -1;

	while (proc && fd < 0 && (entry = readdir(proc)))
		if (is_number(entry->d_name))
			fd = open_path(xasprintf("/proc/%s/ns/net", entry->d_name), inode);
	if (proc)
		closedir(proc);
	return fd;
}

/* A namespace without a process is kept by a mount, as those of ip-netns(8) are. See proc(5) for the line. */
static int open_mounted(unsigned long inode)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *root = xasprintf(" net:[%lu] ", inode), *at, *end;
	size_t room = 0;
	int fd = -1;

	while (mounts && fd < 0 && getline(&line, &room, mounts) >= 0) {
		at = strstr(line, root);
		if (!at)
			continue;
		at += strlen(root);
		end = strchrnul(at, ' ');
		fd = open_path(xasprintf("%.*s", (int)(end - at), at), inode);
	}
	if (mounts)
		fclose(mounts);
	free(line);
	free(root);
	return fd;
}

static int open_netns(const char *name)
{
	unsigned long number = strtoul(name, NULL, 10);
	int fd;

	errno = ENOENT;
	if (!is_number(name))
		return strchr(name, '/') ? -1 : open_path(xasprintf("/run/netns/%s", name), 0);
	if (number <= MAX_PID)
		return open_path(xasprintf("/proc/%s/ns/net", name), 0);
	fd = open_of_process(number);
	return fd >= 0 ? fd : open_mounted(number);
}

/* Returns 0 if there is none by that name. */
static unsigned int index_in(int netns, const char *interface)
{
	unsigned int ifindex = 0;
	int own = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);

	if (own >= 0 && inode_of(own) == inode_of(netns)) {
		ifindex = if_nametoindex(interface);
	} else if (own >= 0 && !setns(netns, CLONE_NEWNET)) {
		ifindex = if_nametoindex(interface);
		if (setns(own, CLONE_NEWNET))
			abort();	/* it worked the other way; nothing after this would be right */
	}
	if (own >= 0)
		close(own);
	return ifindex;
}

static int add(struct record_skb_options *options, unsigned int netns, unsigned int ifindex,
	       struct err *err)
{
	if (options->nr_where == RECORD_SKB_MAX_WHERE)
		return err_set(err, "more than %d interfaces and network namespaces: leave some out",
			       RECORD_SKB_MAX_WHERE);
	options->where[options->nr_where++] = (struct record_skb_where){ netns, ifindex };
	return 0;
}

/* An index alone is also that of another namespace's interface. */
static int add_netns(struct record_skb_options *options, int netns,
		     const struct strings *interfaces, bool *found, struct err *err)
{
	for (size_t i = 0; i < interfaces->n; i++) {
		unsigned int ifindex = index_in(netns, interfaces->v[i]);

		if (ifindex && add(options, inode_of(netns), ifindex, err))
			return -1;
		found[i] |= ifindex;
	}
	return interfaces->n ? 0 : add(options, inode_of(netns), 0, err);
}

static int refuse_netns(const char *name, struct err *err)
{
	if (errno == EACCES || errno == EPERM)
		return err_set(err, "cannot look into network namespace '%s': %s (try sudo)", name,
			       strerror(errno));
	return err_set(err, "there is no network namespace '%s': give a name of 'ip netns', a PID or an "
		       "inode number", name);
}

static int add_netnses(struct record_skb_options *options, const struct strings *netnses,
		       const struct strings *interfaces, bool *found, struct err *err)
{
	for (size_t i = 0; i < netnses->n; i++) {
		int netns = open_netns(netnses->v[i]), ret;

		if (netns < 0)
			return refuse_netns(netnses->v[i], err);
		ret = add_netns(options, netns, interfaces, found, err);
		close(netns);
		if (ret)
			return -1;
	}
	return 0;
}

static int refuse_interface(const char *interface, const struct strings *netnses, struct err *err)
{
	if (!netnses->n)
		return err_set(err, "there is no interface '%s'", interface);
	if (netnses->n == 1)
		return err_set(err, "there is no interface '%s' in network namespace %s", interface,
			       netnses->v[0]);
	return err_set(err, "there is no interface '%s' in any of these network namespaces", interface);
}

static int add_interfaces(struct record_skb_options *options, const struct strings *netnses,
			  const struct strings *interfaces, struct err *err)
{
	bool *found = xrealloc(NULL, interfaces->n * sizeof(*found));
	struct strings own = {};
	int ret;

	memset(found, 0, interfaces->n * sizeof(*found));
	strings_addf(&own, "%d", getpid());
	ret = add_netnses(options, netnses->n ? netnses : &own, interfaces, found, err);
	for (size_t i = 0; i < interfaces->n && !ret; i++)
		if (!found[i])
			ret = refuse_interface(interfaces->v[i], netnses, err);
	strings_free(&own);
	free(found);
	return ret;
}

int where_find(struct record_skb_options *options, const struct strings *netnses,
	       const struct strings *interfaces, struct err *err)
{
	static const struct strings none;

	options->nr_where = 0;
	for (size_t i = 0; i < interfaces->n; i++)
		if (!strcmp(interfaces->v[i], "any"))
			return add_netnses(options, netnses, &none, NULL, err);
	if (!interfaces->n)
		return add_netnses(options, netnses, &none, NULL, err);
	return add_interfaces(options, netnses, interfaces, err);
}
