// SPDX-License-Identifier: GPL-2.0
/* netns_scan.c - find the network namespaces of the machine and their names */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names/netns_scan.h"
#include "text.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

#define SHORT_ID_LEN 12
/* Maximum size to which a file of /proc is read. Only a hostile process makes such a file longer. */
#define MAX_SMALL 8192

static struct netns_found *find_inode(struct netns_list *list, unsigned int inode)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].inode == inode)
			return &list->v[i];
	return NULL;
}

static struct netns_found *add_inode(struct netns_list *list, unsigned int inode, char *path)
{
	/* The list is full when its length is a power of two. Then double its size. */
	if (!(list->n & (list->n - 1)))
		list->v = xrealloc(list->v, (list->n ? 2 * list->n : 1) * sizeof(*list->v));
	list->v[list->n] = (struct netns_found){ .inode = inode, .path = path };
	return &list->v[list->n++];
}

void netns_list_free(struct netns_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].path);
	free(list->v);
	*list = (struct netns_list){};
}

/*
 * Return true if a container runtime has generated the name of a namespace: "cni-" or "netns-", and a UUID.
 */
static bool is_generated(const char *name)
{
	const char *uuid = !strncmp(name, "cni-", 4)   ? name + 4 :
			   !strncmp(name, "netns-", 6) ? name + 6 :
							 NULL;

	return uuid && strlen(uuid) == 36 && strspn(uuid, "0123456789abcdef-") == 36;
}

/*
 * Find the namespaces of ip-netns(8), which are mounted on files in /run/netns. Skip a file on which no
 * namespace is mounted: this file is on another file system than the namespaces.
 */
void netns_scan_mounts(const char *root, struct netns_list *list)
{
	char *folder = xasprintf("%s/run/netns", root);
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	struct netns_found *found;
	struct stat own, st;
	bool generated;
	char *path;

	if (*root || stat("/proc/self/ns/net", &own))
		own.st_dev = 0;
	while (dir && (entry = readdir(dir))) {
		path = xasprintf("%s/%s", folder, entry->d_name);
		if (entry->d_name[0] == '.' || stat(path, &st) || !S_ISREG(st.st_mode) ||
		    (own.st_dev && st.st_dev != own.st_dev)) {
			free(path);
			continue;
		}
		found = find_inode(list, st.st_ino);
		/*
		 * If a namespace has several names, prefer one that no runtime has generated, and then the
		 * first in the alphabet.
		 */
		generated = is_generated(entry->d_name);
		if (found && (generated != found->generated ?
				      generated :
				      strcmp(entry->d_name, found->label.name) > 0)) {
			free(path);
			continue;
		}
		if (found)
			free(found->path);
		else
			found = add_inode(list, st.st_ino, NULL);
		found->path = path;
		found->generated = generated;
		found->label.kind = RECORD_SKB_NETNS_IP_NETNS;
		snprintf(found->label.name, sizeof(found->label.name), "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

/* Read the file @name of a process in /proc. Return false if it cannot be read. */
static bool read_small(const char *root, unsigned int pid, const char *name, char *buf)
{
	char *path = xasprintf("%s/proc/%u/%s", root, pid, name);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	free(path);
	if (fd < 0)
		return false;
	n = read(fd, buf, MAX_SMALL - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Return the inode number of the network namespace of a process; 0 if it is unknown. */
static unsigned int inode_of(const char *root, unsigned int pid)
{
	char *path = xasprintf("%s/proc/%u/ns/net", root, pid);
	unsigned int inode = 0;
	char text[64];
	const ssize_t n = readlink(path, text, sizeof(text) - 1);

	free(path);
	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "net:[%u]", &inode) == 1 ? inode : 0;
}

bool netns_read_process(const char *root, unsigned int pid, char *name, size_t size,
			unsigned long long *started)
{
	char stat[MAX_SMALL], *from, *to;

	/* The name is in parentheses and can contain any bytes, so it ends at the last parenthesis. */
	if (!read_small(root, pid, "stat", stat))
		return false;
	from = strchr(stat, '(');
	to = strrchr(stat, ')');
	if (!from || !to || to < from ||
	    sscanf(to + 1,
		   " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		   "%*s %*s %llu",
		   started) != 1)
		return false;
	snprintf(name, size, "%.*s", (int)(to - from - 1), from + 1);
	return true;
}

static bool is_before(unsigned long long started, unsigned int pid, const struct netns_found *found)
{
	return started < found->started || (started == found->started && pid < found->pid);
}

/*
 * Name the namespace @found after the process @pid or its container, if that is a better name than its
 * present one.
 */
static void take_process(const char *root, unsigned int pid, struct netns_found *found)
{
	struct netns_label label = { .kind = RECORD_SKB_NETNS_PROCESS };
	const bool has_container = found->label.kind != RECORD_SKB_NETNS_SEEN &&
				   found->label.kind != RECORD_SKB_NETNS_IP_NETNS &&
				   found->label.kind != RECORD_SKB_NETNS_PROCESS;
	const bool has_name = found->label.kind != RECORD_SKB_NETNS_SEEN;
	unsigned long long started;
	char cgroup[MAX_SMALL];

	if (!netns_read_process(root, pid, label.name, sizeof(label.name), &started) ||
	    (has_container && !is_before(started, pid, found)))
		return;
	snprintf(label.detail, sizeof(label.detail), "%u", pid);
	if (read_small(root, pid, "cgroup", cgroup) && container_find(root, cgroup, &label))
		found->generated = false;
	else if (has_container || found->label.kind == RECORD_SKB_NETNS_IP_NETNS ||
		 (has_name && !is_before(started, pid, found)))
		return;
	found->label = label;
	found->started = started;
	found->pid = pid;
}

static void scan_processes(const char *root, struct netns_list *list)
{
	char *folder = xasprintf("%s/proc", root);
	const unsigned int host = inode_of(root, 1);
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	struct netns_found *found;
	unsigned int pid, inode;

	if (host) {
		found = find_inode(list, host);
		if (!found)
			found = add_inode(list, host, xasprintf("%s/1/ns/net", folder));
		if (found->label.kind == RECORD_SKB_NETNS_SEEN || found->generated)
			found->label = (struct netns_label){ .kind = RECORD_SKB_NETNS_HOST,
							     .name = "host" };
		found->generated = false;
	}
	while (dir && (entry = readdir(dir))) {
		pid = strtoul(entry->d_name, NULL, 10);
		inode = pid ? inode_of(root, pid) : 0;
		if (!inode || inode == host)
			continue;
		found = find_inode(list, inode);
		if (found && found->label.kind == RECORD_SKB_NETNS_IP_NETNS && !found->generated)
			continue;
		if (!found)
			found = add_inode(list, inode, xasprintf("%s/%u/ns/net", folder, pid));
		take_process(root, pid, found);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

void netns_scan(const char *root, struct netns_list *list)
{
	netns_scan_mounts(root, list);
	scan_processes(root, list);
}

void netns_found_cookie(struct netns_found *found)
{
	const int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	const int netns = open(found->path, O_RDONLY | O_CLOEXEC);
	socklen_t size = sizeof(found->cookie);
	struct stat st;
	int fd;

	if (own >= 0 && netns >= 0 && !fstat(netns, &st) && st.st_ino == found->inode &&
	    !setns(netns, CLONE_NEWNET)) {
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &found->cookie, &size))
			found->cookie = 0;
		if (fd >= 0)
			close(fd);
		if (setns(own, CLONE_NEWNET))
			abort(); /* do not continue in the wrong namespace */
	}
	if (netns >= 0)
		close(netns);
	if (own >= 0)
		close(own);
}

bool netns_found_is(const struct netns_found *found, const char *name)
{
	const struct netns_label *label = &found->label;
	const size_t len = strlen(label->detail);

	if (!strcmp(name, label->name))
		return true;
	switch (label->kind) {
	case RECORD_SKB_NETNS_POD:
		return !strncmp(name, label->detail, len) && name[len] == '/' &&
		       !strcmp(name + len + 1, label->name);
	case RECORD_SKB_NETNS_DOCKER:
	case RECORD_SKB_NETNS_PODMAN:
	case RECORD_SKB_NETNS_CONTAINERD:
		return strlen(name) >= SHORT_ID_LEN && !strncmp(name, label->detail, strlen(name));
	default:
		return false;
	}
}
