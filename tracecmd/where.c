// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "strlist.h"
#include "where.h"

#define OWN_NETNS	"/proc/self/ns/net"

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

static int open_file(char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	return fd;
}

/* Inode numbers of namespaces start above any PID. */
static int open_netns(const char *name)
{
	return is_number(name) ? open_file(xasprintf("/proc/%s/ns/net", name)) :
	       strchr(name, '/') ? -1 : open_file(xasprintf("/run/netns/%s", name));
}

/* Returns 0 if there is none by that name. */
static unsigned int index_in(int netns, const char *interface)
{
	unsigned int ifindex = 0;
	int own = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);

	if (own >= 0 && !setns(netns, CLONE_NEWNET)) {
		ifindex = if_nametoindex(interface);
		if (setns(own, CLONE_NEWNET))
			abort();	/* it worked the other way; nothing after this would be right */
	}
	if (own >= 0)
		close(own);
	return ifindex;
}

int where_find(const char *netns, const char *interface, unsigned int *netns_inode,
	       unsigned int *ifindex, struct err *err)
{
	struct stat st;
	int fd = -1;

	*netns_inode = 0;
	*ifindex = 0;
	if (interface && !strcmp(interface, "any"))
		interface = NULL;
	if (netns) {
		fd = open_netns(netns);
		if (fd >= 0 && !fstat(fd, &st))
			*netns_inode = st.st_ino;
		else if (is_number(netns) && strtoul(netns, NULL, 10) >= 0xf0000000UL)
			*netns_inode = strtoul(netns, NULL, 10);
		else
			return err_set(err, "there is no network namespace '%s': give a name of 'ip netns', "
				       "a PID or an inode number", netns);
	}
	/* An index alone is also that of another namespace's interface. */
	if (interface && !netns && !stat(OWN_NETNS, &st))
		*netns_inode = st.st_ino;
	if (interface) {
		*ifindex = fd >= 0 ? index_in(fd, interface) : if_nametoindex(interface);
		if (!*ifindex)
			err_set(err, "there is no interface '%s'%s%s", interface,
				netns ? " in network namespace " : "", netns ? netns : "");
	}
	if (fd >= 0)
		close(fd);
	return interface && !*ifindex ? -1 : 0;
}
