// SPDX-License-Identifier: GPL-2.0
/* netns_names.c - the names of the network namespaces in a recording */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/netns_names.h"

/* The namespace that has an inode number at the row that is being read. */
struct current_netns {
	uint32_t inode;
	uint64_t cookie;
};

struct netns_names {
	struct netns_name **v;
	size_t n;
	struct current_netns *current;
	size_t nr_current;
};

struct netns_names *netns_names_new(void)
{
	return calloc(1, sizeof(struct netns_names));
}

void netns_names_free(struct netns_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	free(names->current);
	free(names);
}

/*
 * Return: the text of a name. Blanks are escaped, too, because the path of a packet has blanks between its
 * devices.
 */
static void write_text(char *text, size_t size, const char *name)
{
	char plain[ESCAPED_LEN(NETNS_NAME_LEN)];
	size_t len = 0;

	escape_text(plain, sizeof(plain), name);
	for (const char *at = plain; *at && len + 5 < size; at++)
		if (*at == ' ')
			len += snprintf(text + len, size - len, "\\x20");
		else
			text[len++] = *at;
	text[len] = '\0';
}

static struct netns_name *find_cookie(const struct netns_names *names, uint64_t cookie)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->v[i]->cookie == cookie)
			return names->v[i];
	return NULL;
}

static struct netns_name *add_name(struct netns_names *names, uint64_t cookie)
{
	struct netns_name **v = realloc(names->v, (names->n + 1) * sizeof(*v));
	struct netns_name *name = calloc(1, sizeof(*name));

	if (v)
		names->v = v;
	if (!v || !name) {
		free(name);
		return NULL;
	}
	name->cookie = cookie;
	return v[names->n++] = name;
}

void netns_names_add(struct netns_names *names, uint64_t ts, const struct netns_facts *facts)
{
	struct netns_name *name = find_cookie(names, facts->cookie);

	if (facts->kind == RECORD_SKB_NETNS_SEEN || facts->kind == RECORD_SKB_NETNS_LAST ||
	    !facts->name[0])
		return;
	if (!name)
		name = add_name(names, facts->cookie);
	if (!name || ts < name->ts)
		return;
	name->inode = facts->netns;
	name->kind = facts->kind;
	name->ts = ts;
	strcpy(name->name, facts->name);
	strcpy(name->detail, facts->detail);
	write_text(name->text, sizeof(name->text), facts->name);
}

void netns_names_see(struct netns_names *names, const struct netns_facts *facts)
{
	struct current_netns *current;
	size_t i;

	for (i = 0; i < names->nr_current && names->current[i].inode != facts->netns; i++)
		;
	if (i == names->nr_current) {
		current = realloc(names->current, (i + 1) * sizeof(*current));
		if (!current)
			return;
		names->current = current;
		names->nr_current++;
	}
	names->current[i] = (struct current_netns){ facts->netns, facts->cookie };
}

uint64_t netns_names_cookie(const struct netns_names *names, uint32_t inode)
{
	for (size_t i = 0; names && i < names->nr_current; i++)
		if (names->current[i].inode == inode)
			return names->current[i].cookie;
	return 0;
}

const struct netns_name *netns_names_find(const struct netns_names *names, uint32_t inode,
					  uint64_t cookie)
{
	const struct netns_name *found = NULL;

	if (!names || !inode)
		return NULL;
	if (cookie)
		return find_cookie(names, cookie);
	/*
	 * The cookie is not known, for example because the beginning of a ring was overwritten. In this case,
	 * the name is certain only if a single namespace had this inode number.
	 */
	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i]->inode != inode || names->v[i]->kind == RECORD_SKB_NETNS_TAP)
			continue;
		if (found)
			return NULL;
		found = names->v[i];
	}
	return found;
}

/* Return: true if the text could also be the name or the inode number of another namespace. */
static bool is_ambiguous(const struct netns_names *names, const struct netns_name *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->v[i] != name && names->v[i]->kind != RECORD_SKB_NETNS_TAP &&
		    !strcmp(names->v[i]->text, name->text) &&
		    hosts_of_netns(names->v[i]->inode) == hosts_of_netns(name->inode))
			return true;
	/* A name of at least eight digits looks like an inode number. */
	return strlen(name->text) > 7 && !name->text[strspn(name->text, "0123456789")];
}

const char *netns_names_text(const struct netns_names *names, char *buf, size_t size,
			     uint32_t inode, uint64_t cookie)
{
	const struct netns_name *name = netns_names_find(names, inode, cookie);

	if (!name)
		snprintf(buf, size, "%u", hosts_inode_of_netns(inode));
	else if (is_ambiguous(names, name))
		snprintf(buf, size, "%s:%u", name->text, hosts_inode_of_netns(inode));
	else
		snprintf(buf, size, "%s", name->text);
	return buf;
}

const char *netns_kind_name(unsigned int kind)
{
	static const char *const kinds[RECORD_SKB_NETNS_KINDS] = {
		[RECORD_SKB_NETNS_HOST] = "host",
		[RECORD_SKB_NETNS_IP_NETNS] = "ip-netns",
		[RECORD_SKB_NETNS_POD] = "pod",
		[RECORD_SKB_NETNS_DOCKER] = "docker",
		[RECORD_SKB_NETNS_PODMAN] = "podman",
		[RECORD_SKB_NETNS_CONTAINERD] = "containerd",
		[RECORD_SKB_NETNS_NSPAWN] = "nspawn",
		[RECORD_SKB_NETNS_LXC] = "lxc",
		[RECORD_SKB_NETNS_PROCESS] = "process",
		[RECORD_SKB_NETNS_TAP] = "packet socket",
	};

	return kind < RECORD_SKB_NETNS_KINDS && kinds[kind] ? kinds[kind] : "unknown";
}

bool netns_is(const struct netns_name *name, uint32_t inode, const char *wanted)
{
	char number[16];
	size_t len;

	snprintf(number, sizeof(number), "%u", inode);
	if (inode && !strcmp(wanted, number))
		return true;
	if (!name)
		return false;
	if (!strcmp(wanted, name->name) || !strcmp(wanted, name->text))
		return true;
	len = strlen(name->text);
	if (!strncmp(wanted, name->text, len) && wanted[len] == ':' &&
	    !strcmp(wanted + len + 1, number))
		return true;
	len = strlen(name->detail);
	return name->kind == RECORD_SKB_NETNS_POD && !strncmp(wanted, name->detail, len) &&
	       wanted[len] == '/' && !strcmp(wanted + len + 1, name->name);
}
