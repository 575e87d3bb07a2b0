// SPDX-License-Identifier: GPL-2.0
/* see_line.c - print a command that shows a cause, and the network namespace in which it has to run */
#include <stdio.h>

#include "hosts/hosts.h"
#include "output/json_line.h"
#include "output/see_line.h"

/*
 * Return: the namespace to print with a command. 0 if it need not be printed: the command runs in any
 * namespace, or the recording has only one, which is the first of the machine or has no known name.
 */
static uint32_t printed_netns(const struct see *see)
{
	const struct netns_name *name =
		netns_names_find(devices_netns_names(see->devices), see->netns, 0);
	const bool is_first = !name || name->kind == RECORD_SKB_NETNS_HOST;

	/*
	 * In joined recordings, always print the namespace, because the text of a namespace also names the
	 * host.
	 */
	return !hosts_count() && devices_one_netns(see->devices) && is_first ? 0 : see->netns;
}

void see_print(const char *indent, const struct see *see)
{
	const uint32_t netns = printed_netns(see);
	char text[NETNS_TEXT_LEN];

	if (!*see->command)
		return;
	printf("%ssee: %s", indent, see->command);
	if (netns)
		printf("    # %s%s%sin network namespace %s", hosts_count() ? "on " : "",
		       hosts_count() ? hosts_name(hosts_of_netns(netns)) : "",
		       hosts_count() ? ", " : "",
		       netns_names_text(devices_netns_names(see->devices), text, sizeof(text),
					netns, 0));
	putchar('\n');
}

void see_add(struct json_object *to, const struct see *see)
{
	const uint32_t netns = printed_netns(see);

	if (*see->command)
		json_add_text(to, "command", see->command);
	if (netns)
		json_add_number(to, "netns", hosts_inode_of_netns(netns));
	json_add_netns_name(to, netns_names_find(devices_netns_names(see->devices), netns, 0));
	if (netns && hosts_count())
		json_add_text(to, "host", hosts_name(hosts_of_netns(netns)));
}
