// SPDX-License-Identifier: GPL-2.0
/* server_text.c - format the address of a server */
#include <stdio.h>
#include <string.h>

#include "model/servers.h"

const char *words_server(char *buf, const struct server *server)
{
	/*
	 * Format a flow from an unknown address to the server, "call tcp * > 10.0.0.2:443", and take the
	 * server from this text.
	 */
	struct flow flow = { .family = server->family, .proto = server->proto };
	char text[FLOW_TEXT_LEN], *proto, *end;

	flow.dport = server->port;
	memcpy(flow.daddr, server->address, sizeof(flow.daddr));
	flow_text_call(text, &flow);
	proto = strchr(text, ' ');
	end = proto ? strstr(proto + 1, " * > ") : NULL;
	if (!end) {
		snprintf(buf, FLOW_TEXT_LEN, "others");
		return buf;
	}
	*end = '\0';
	snprintf(buf, FLOW_TEXT_LEN, server->is_known ? "%s %s" : "%s, server unknown", proto + 1,
		 end + strlen(" * > "));
	return buf;
}
