// SPDX-License-Identifier: GPL-2.0
/* netns_names.c - the names of the network namespaces in a recording */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "hosts/hosts.h"
#include "model/netns_names.h"

struct netns_names {
	struct table names;   /* table of struct netns_name, by cookie */
	struct table current; /* table of uint64_t, by inode number: see netns_names_cookie() */
	uint64_t changes;     /* number of changes of names */
};

struct netns_names *netns_names_new(void)
{
	return calloc(1, sizeof(struct netns_names));
}

void netns_names_free(struct netns_names *names)
{
	if (!names)
		return;
	table_free(&names->names);
	table_free(&names->current);
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

static struct table_key key_of(uint64_t number)
{
	return (struct table_key){ .number = number };
}

static struct netns_name *add_name(struct netns_names *names, uint64_t cookie)
{
	struct netns_name *name = calloc(1, sizeof(*name));

	if (name)
		name->cookie = cookie;
	return table_add(&names->names, key_of(cookie), name);
}

void netns_names_add(struct netns_names *names, uint64_t ts, const struct netns_facts *facts)
{
	struct netns_name *name = table_find(&names->names, key_of(facts->cookie));
	char text[sizeof(name->text)];

	if (facts->kind == RECORD_SKB_NETNS_SEEN || facts->kind == RECORD_SKB_NETNS_LAST ||
	    !facts->name[0])
		return;
	if (!name)
		name = add_name(names, facts->cookie);
	if (!name || ts < name->ts)
		return;
	write_text(text, sizeof(text), facts->name);
	names->changes += name->inode != facts->netns || name->kind != facts->kind ||
			  strcmp(name->text, text);
	name->inode = facts->netns;
	name->kind = facts->kind;
	name->ts = ts;
	strcpy(name->name, facts->name);
	strcpy(name->detail, facts->detail);
	strcpy(name->text, text);
}

void netns_names_see(struct netns_names *names, const struct netns_facts *facts)
{
	uint64_t *cookie = table_find(&names->current, key_of(facts->netns));

	if (!cookie)
		cookie = table_add(&names->current, key_of(facts->netns), malloc(sizeof(*cookie)));
	if (cookie)
		*cookie = facts->cookie;
}

uint64_t netns_names_cookie(const struct netns_names *names, uint32_t inode)
{
	const uint64_t *cookie = names ? table_find(&names->current, key_of(inode)) : NULL;

	return cookie ? *cookie : 0;
}

const struct netns_name *netns_names_find(const struct netns_names *names, uint32_t inode,
					  uint64_t cookie)
{
	const struct netns_name *found = NULL, *name;
	size_t i = 0;

	if (!names || !inode)
		return NULL;
	if (cookie)
		return table_find(&names->names, key_of(cookie));
	/*
	 * The cookie is not known, for example because the beginning of a ring was overwritten. In this case,
	 * the name is certain only if a single namespace had this inode number.
	 */
	while ((name = table_next(&names->names, &i))) {
		if (name->inode != inode || name->kind == RECORD_SKB_NETNS_TAP)
			continue;
		if (found)
			return NULL;
		found = name;
	}
	return found;
}

static bool find_ambiguity(const struct netns_names *names, const struct netns_name *name)
{
	const struct netns_name *other;
	size_t i = 0;

	while ((other = table_next(&names->names, &i)))
		if (other != name && other->kind != RECORD_SKB_NETNS_TAP &&
		    !strcmp(other->text, name->text) &&
		    hosts_of_netns(other->inode) == hosts_of_netns(name->inode))
			return true;
	/* A name of at least eight digits looks like an inode number. */
	return strlen(name->text) > 7 && !name->text[strspn(name->text, "0123456789")];
}

/*
 * Return: true if the text could also be the name or the inode number of another namespace. A path has a text
 * for each namespace, so remember the answer until a name changes.
 */
static bool is_ambiguous(const struct netns_names *names, struct netns_name *name)
{
	if (name->checked != names->changes) {
		name->checked = names->changes;
		name->is_ambiguous = find_ambiguity(names, name);
	}
	return name->is_ambiguous;
}

const char *netns_names_text(const struct netns_names *names, char *buf, size_t size,
			     uint32_t inode, uint64_t cookie)
{
	const struct netns_name *name = netns_names_find(names, inode, cookie);

	if (!name)
		snprintf(buf, size, "%u", hosts_inode_of_netns(inode));
	else if (is_ambiguous(names, (struct netns_name *)name))
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
