/* SPDX-License-Identifier: GPL-2.0 */
/* json_line.h - create JSON objects, and print each one on its own line */
#ifndef _RECORD_SKB_JSON_LINE_H
#define _RECORD_SKB_JSON_LINE_H

#include <json-c/json.h>
#include <stdint.h>

#include "model/limit_text.h"
#include "model/netns_names.h"
#include "model/packet_text.h"
#include "model/servers.h"

/*
 * Version of the schema, report-skb.schema.json. Increase it if a member is removed or gets another meaning.
 */
#define JSON_VERSION 1

/* Return: a new object with the member "type". */
struct json_object *json_new_object(const char *type);

/*
 * Add a member. @name must stay valid as long as @to: it is a string literal. @to has no member of this name
 * yet. In a text, bytes that are not UTF-8 become U+FFFD, since JSON must be UTF-8.
 */
void json_add(struct json_object *to, const char *name, struct json_object *value);
void json_add_text(struct json_object *to, const char *name, const char *text);
void json_add_number(struct json_object *to, const char *name, uint64_t value);
/*
 * Add a time. @what is the name of the member without the unit, such as "time". The unit is appended to the
 * name. It depends on the trace clock. json_add_time() needs a string literal.
 */
#define json_add_time(to, what, value) \
	json_add_number(to, words_are_in_ticks() ? what "_ticks" : what "_ns", value)
void json_add_named_time(struct json_object *to, const char *what, uint64_t value);

/* Add the members with the name of a network namespace; add nothing if @name is NULL. */
void json_add_netns_name(struct json_object *to, const struct netns_name *name);

/* Add the name and the PID of the process that has a packet socket; add nothing if @name is NULL. */
void json_add_socket_process(struct json_object *to, const struct netns_name *name);

/* Add the member "limit", an object with the values of a queue or limit. */
void json_add_limit(struct json_object *to, const struct limit_facts *limit);

/* Add the object "server" as a member. Unknown parts of the server's address are left out. */
void json_add_server(struct json_object *to, const struct server *server);

/* Add the members about the packets and answers of a server. */
void json_add_server_numbers(struct json_object *to, struct server *server);
/* Add the members with the percentiles of a set of times. */
void json_add_times(struct json_object *to, struct histogram *times);

/* Add the version to @object, print @object on a line of its own, and free it. */
void json_print_object(struct json_object *object);

#endif
