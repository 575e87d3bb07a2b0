// SPDX-License-Identifier: GPL-2.0
/* json_line.c - create JSON objects, and print each one on its own line */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "model/packet_text.h"
#include "output/json_line.h"
#include "output/json_string.h"

struct json_object *json_new_object(const char *type)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "type", type);
	return object;
}

void json_add(struct json_object *to, const char *name, struct json_object *value)
{
	json_object_object_add_ex(to, name, value,
				  JSON_C_OBJECT_ADD_CONSTANT_KEY | JSON_C_OBJECT_ADD_KEY_IS_NEW);
}

void json_add_text(struct json_object *to, const char *name, const char *text)
{
	char *valid;

	if (is_plain_text(text)) {
		json_add(to, name, json_object_new_string(text));
		return;
	}
	valid = json_utf8(text);
	json_add(to, name, valid ? json_object_new_string(valid) : NULL);
	free(valid);
}

void json_add_number(struct json_object *to, const char *name, uint64_t value)
{
	json_add(to, name, json_object_new_uint64(value));
}

void json_add_named_time(struct json_object *to, const char *what, uint64_t value)
{
	char name[32];

	snprintf(name, sizeof(name), "%s_%s", what, words_are_in_ticks() ? "ticks" : "ns");
	json_object_object_add(to, name, json_object_new_uint64(value));
}

void json_add_netns_name(struct json_object *to, const struct netns_name *name)
{
	if (!name)
		return;
	json_add_text(to, "netns_name", name->name);
	json_add_text(to, "netns_kind", netns_kind_name(name->kind));
	if (name->detail[0])
		json_add_text(to, "netns_detail", name->detail);
}

void json_add_socket_process(struct json_object *to, const struct netns_name *name)
{
	if (!name)
		return;
	json_add_text(to, "process", name->name);
	json_add_number(to, "pid", strtoul(name->detail, NULL, 10));
}

void json_add_limit(struct json_object *to, const struct limit_facts *limit)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "what", limit_name(limit->kind));
	json_add_number(object, "used", limit->used);
	if (limit->limit)
		json_add_number(object, "limit", limit->limit);
	if (limit->needs)
		json_add_number(object, "needs", limit->needs);
	json_add(to, "limit", object);
}

void json_add_server(struct json_object *to, const struct server *server)
{
	struct json_object *end = json_object_new_object();
	char text[INET6_ADDRSTRLEN];

	if (server->is_known) {
		json_add_number(end, "protocol", server->proto);
		inet_ntop(server->family == FLOW_INET6 ? AF_INET6 : AF_INET, server->address, text,
			  sizeof(text));
		json_add_text(end, "address", text);
		if (server->port)
			json_add_number(end, "port", server->port);
	}
	json_add(to, "server", end);
}

void json_add_times(struct json_object *to, struct histogram *times)
{
	json_add_number(to, "count", times->nr);
	json_add_time(to, "median", histogram_percentile(times, 50));
	json_add_time(to, "p99", histogram_percentile(times, 99));
	json_add_time(to, "max", times->max);
	json_add_number(to, "example", times->packet);
	if (times->clock_error)
		json_add_time(to, "clock_error", times->clock_error);
}

void json_add_server_numbers(struct json_object *to, struct server *server)
{
	struct json_object *answers;

	json_add_number(to, "flows", server->flows);
	json_add_number(to, "packets_to", server->packets[0]);
	json_add_number(to, "packets_from", server->packets[1]);
	json_add_number(to, "bytes_to", server->bytes[0]);
	json_add_number(to, "bytes_from", server->bytes[1]);
	json_add_number(to, "dropped", server->dropped);
	json_add_number(to, "retransmissions", server->again);
	json_add_number(to, "resets", server->resets);
	if (!server->answers.nr)
		return;
	answers = json_object_new_object();
	json_add_times(answers, &server->answers);
	json_add(to, "answers", answers);
}

/*
 * Escape the text of the object again. A terminal may show it, and json-c does not escape all control
 * characters.
 */
void json_print_object(struct json_object *object)
{
	const char *json;
	size_t size;
	char *line;

	json_add_number(object, "version", JSON_VERSION);
	json = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE);
	if (is_plain_text(json)) {
		puts(json);
	} else {
		size = ESCAPED_LEN(strlen(json));
		line = malloc(size);
		if (line)
			puts(escape_json(line, size, json));
		free(line);
	}
	json_object_put(object);
}
