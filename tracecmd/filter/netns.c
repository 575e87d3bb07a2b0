// SPDX-License-Identifier: GPL-2.0
/* netns.c - find network namespaces and interfaces by name */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/netns.h"
#include "names/netns_scan.h"
#include "text.h"

#define OWN_NETNS "/proc/self/ns/net"

/*
 * The kernel's PID_MAX_LIMIT. If the user gives a larger number, it is the inode number of a namespace, and
 * not a PID.
 */
#define MAX_PID 4194304UL

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

unsigned int netns_inode(int netns)
{
	struct stat st;

	return fstat(netns, &st) ? 0 : st.st_ino;
}

/*
 * Open the network namespace at @path, and free @path. Returns a file descriptor. Returns -1 if @path is not
 * a network namespace, or if its inode number is not @inode. If @inode is 0, any inode number is right.
 */
static int open_path(char *path, unsigned long inode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	if (fd >= 0 &&
	    (ioctl(fd, NS_GET_NSTYPE) != CLONE_NEWNET || (inode && netns_inode(fd) != inode))) {
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

/*
 * Open the network namespace with this inode number if it is mounted on a file, as the namespaces of
 * ip-netns(8) are. The file is found in mountinfo, which proc(5) describes.
 */
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

static int open_number(const char *digits)
{
	unsigned long number;
	int fd;

	errno = 0;
	number = strtoul(digits, NULL, 10);
	if (errno)
		return -1;
	if (number <= MAX_PID)
		return open_path(xasprintf("/proc/%lu/ns/net", number), 0);
	fd = open_of_process(number);
	return fd >= 0 ? fd : open_mounted(number);
}

/*
 * Open the network namespace that is called @name after its container, pod or process. If several namespaces
 * have this name, fail with the errno EEXIST.
 */
static int open_named(const char *name)
{
	struct netns_list list = {};
	const struct netns_found *named = NULL;
	bool several = false;
	int fd = -1;

	netns_scan("", &list);
	for (size_t i = 0; i < list.n; i++) {
		if (!netns_found_is(&list.v[i], name))
			continue;
		several = named;
		named = &list.v[i];
		if (several)
			break;
	}
	errno = several ? EEXIST : ENOENT;
	if (named && !several)
		fd = open_path(xstrdup(named->path), named->inode);
	netns_list_free(&list);
	return fd;
}

static int open_netns(const char *name)
{
	int fd = -1;

	errno = ENOENT;
	if (*name && !strchr(name, '/'))
		fd = open_path(xasprintf("/run/netns/%s", name), 0);
	if (fd < 0 && errno == ENOENT && is_number(name))
		fd = open_number(name);
	if (fd < 0 && errno == ENOENT && *name)
		fd = open_named(name);
	return fd;
}

unsigned int netns_interface(int netns, const char *interface)
{
	unsigned int ifindex = 0;
	int own = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);

	if (own >= 0 && netns_inode(own) == netns_inode(netns)) {
		ifindex = if_nametoindex(interface);
	} else if (own >= 0 && !setns(netns, CLONE_NEWNET)) {
		ifindex = if_nametoindex(interface);
		if (setns(own, CLONE_NEWNET))
			abort(); /* do not continue in the wrong namespace */
	}
	if (own >= 0)
		close(own);
	return ifindex;
}

#define MAX_VISITED 64

struct visits {
	void (*visit)(const char *name, void *data);
	void *data;
	unsigned int inode[MAX_VISITED];
	size_t n;
};

/* Visit the network namespace at @path, unless it was visited before. Frees @path. */
static void visit_once(struct visits *visits, char *path, const char *name)
{
	const int netns = open_path(path, 0);
	const unsigned int inode = netns < 0 ? 0 : netns_inode(netns);
	bool before = !inode || visits->n == MAX_VISITED;

	for (size_t i = 0; i < visits->n && !before; i++)
		before = visits->inode[i] == inode;
	if (!before && !setns(netns, CLONE_NEWNET)) {
		visits->inode[visits->n++] = inode;
		visits->visit(name, visits->data);
	}
	if (netns >= 0)
		close(netns);
}

static void visit_folder(struct visits *visits, const char *folder, const char *below)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && (!*below || is_number(entry->d_name)))
			visit_once(visits, xasprintf("%s/%s%s", folder, entry->d_name, below),
				   entry->d_name);
	if (dir)
		closedir(dir);
}

void netns_each(void (*visit)(const char *name, void *data), void *data)
{
	struct visits visits = { .visit = visit, .data = data };
	const int own = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);

	if (own < 0)
		return;
	visit_once(&visits, xstrdup(OWN_NETNS), NULL);
	visit_folder(&visits, "/run/netns", "");
	visit_folder(&visits, "/proc", "/ns/net");
	if (visits.n > 1 && setns(own, CLONE_NEWNET))
		abort(); /* do not continue in the wrong namespace */
	close(own);
}

static int report_netns(const char *name, struct err *err)
{
	if (errno == EACCES || errno == EPERM)
		return err_set(err, "cannot look into network namespace '%s': %s (try sudo)", name,
			       strerror(errno));
	if (errno == EEXIST)
		return err_set(err,
			       "several network namespaces have the name '%s': give a PID or an "
			       "inode number (lsns -t net)",
			       name);
	return err_set(
		err,
		"the network namespace '%s' does not exist: give a name of 'ip netns', a container, a "
		"pod, a PID or an inode number",
		name);
}

int netns_open(const char *name, struct err *err)
{
	const int netns = open_netns(name);

	return netns < 0 ? report_netns(name, err) : netns;
}

int netns_open_own(struct err *err)
{
	const int netns = open_path(xstrdup(OWN_NETNS), 0);

	return netns < 0 ? report_netns(OWN_NETNS, err) : netns;
}

static int add_interface(struct record_skb_options *options, unsigned int netns,
			 unsigned int ifindex, struct err *err)
{
	if (options->nr_where == RECORD_SKB_MAX_WHERE)
		return err_set(err,
			       "more than %d interfaces and network namespaces: leave some out",
			       RECORD_SKB_MAX_WHERE);
	options->where[options->nr_where++] = (struct record_skb_where){ netns, ifindex };
	return 0;
}

/*
 * Add the interfaces of one network namespace to @options. An interface is stored with its namespace, because
 * interfaces in different namespaces can have the same index. If no interfaces are given, add the namespace
 * itself.
 */
static int add_netns(struct record_skb_options *options, int netns,
		     const struct strings *interfaces, bool *found, struct err *err)
{
	for (size_t i = 0; i < interfaces->n; i++) {
		unsigned int ifindex = netns_interface(netns, interfaces->v[i]);

		if (ifindex && add_interface(options, netns_inode(netns), ifindex, err))
			return -1;
		found[i] |= ifindex;
	}
	return interfaces->n ? 0 : add_interface(options, netns_inode(netns), 0, err);
}

static int add_and_close(struct record_skb_options *options, int netns,
			 const struct strings *interfaces, bool *found, struct err *err)
{
	int ret;

	if (netns < 0)
		return -1;
	ret = add_netns(options, netns, interfaces, found, err);
	close(netns);
	return ret;
}

static int add_netnses(struct record_skb_options *options, const struct strings *netnses,
		       const struct strings *interfaces, bool *found, struct err *err)
{
	for (size_t i = 0; i < netnses->n; i++)
		if (add_and_close(options, netns_open(netnses->v[i], err), interfaces, found, err))
			return -1;
	return 0;
}

static int refuse_interface(const char *interface, const struct strings *netnses, struct err *err)
{
	if (!netnses->n)
		return err_set(
			err,
			"the interface '%s' does not exist; one in another network namespace "
			"needs --netns",
			interface);
	if (netnses->n == 1)
		return err_set(err, "the interface '%s' does not exist in network namespace %s",
			       interface, netnses->v[0]);
	return err_set(err, "the interface '%s' does not exist in any of these network namespaces",
		       interface);
}

static int add_interfaces(struct record_skb_options *options, const struct strings *netnses,
			  const struct strings *interfaces, struct err *err)
{
	bool *found = xrealloc(NULL, interfaces->n * sizeof(*found));
	int ret;

	memset(found, 0, interfaces->n * sizeof(*found));
	ret = netnses->n ? add_netnses(options, netnses, interfaces, found, err) :
			   add_and_close(options, netns_open_own(err), interfaces, found, err);
	for (size_t i = 0; i < interfaces->n && !ret; i++)
		if (!found[i])
			ret = refuse_interface(interfaces->v[i], netnses, err);
	free(found);
	return ret;
}

int interfaces_find(struct record_skb_options *options, const struct strings *netnses,
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
