// SPDX-License-Identifier: GPL-2.0
/* -i and --netns: interfaces and network namespaces as the numbers that the kernel has for them. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interfaces.h"
#include "netns.h"

static int add(struct record_skb_options *options, unsigned int netns, unsigned int ifindex,
	       struct err *err)
{
	if (options->nr_where == RECORD_SKB_MAX_WHERE)
		return err_set(err,
			       "more than %d interfaces and network namespaces: leave some out",
			       RECORD_SKB_MAX_WHERE);
	options->where[options->nr_where++] = (struct record_skb_where){ netns, ifindex };
	return 0;
}

/* An index alone is also that of another namespace's interface. */
static int add_netns(struct record_skb_options *options, int netns,
		     const struct strings *interfaces, bool *found, struct err *err)
{
	for (size_t i = 0; i < interfaces->n; i++) {
		unsigned int ifindex = netns_interface(netns, interfaces->v[i]);

		if (ifindex && add(options, netns_inode(netns), ifindex, err))
			return -1;
		found[i] |= ifindex;
	}
	return interfaces->n ? 0 : add(options, netns_inode(netns), 0, err);
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
		return err_set(err, "there is no interface '%s'", interface);
	if (netnses->n == 1)
		return err_set(err, "there is no interface '%s' in network namespace %s", interface,
			       netnses->v[0]);
	return err_set(err, "there is no interface '%s' in any of these network namespaces",
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
