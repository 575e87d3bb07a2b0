// SPDX-License-Identifier: GPL-2.0
/* Network namespaces by name, PID or inode number. */
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

#include "netns.h"
#include "strlist.h"

#define OWN_NETNS "/proc/self/ns/net"

/* The kernel gives no higher PID (PID_MAX_LIMIT), and inode numbers of namespaces start far above. */
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

/* Returns -1 if there is no network namespace at @path, or, unless @inode is 0, another one. */
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

static int open_netns(const char *name)
{
	int fd = -1;

	errno = ENOENT;
	if (*name && !strchr(name, '/'))
		fd = open_path(xasprintf("/run/netns/%s", name), 0);
	if (fd < 0 && errno == ENOENT && is_number(name))
		fd = open_number(name);
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
			abort(); /* it worked the other way; nothing after this would be right */
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

/* Takes @path. */
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
		abort(); /* it worked the other way; nothing after this would be right */
	close(own);
}

static int refuse(const char *name, struct err *err)
{
	if (errno == EACCES || errno == EPERM)
		return err_set(err, "cannot look into network namespace '%s': %s (try sudo)", name,
			       strerror(errno));
	return err_set(err,
		       "there is no network namespace '%s': give a name of 'ip netns', a PID or an "
		       "inode number",
		       name);
}

int netns_open(const char *name, struct err *err)
{
	const int netns = open_netns(name);

	return netns < 0 ? refuse(name, err) : netns;
}

int netns_open_own(struct err *err)
{
	const int netns = open_path(xstrdup(OWN_NETNS), 0);

	return netns < 0 ? refuse(OWN_NETNS, err) : netns;
}
