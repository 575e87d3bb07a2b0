// SPDX-License-Identifier: GPL-2.0
/* summary_json.c - print the summary as a JSON object; the man page describes the members */
#include "output/hosts_section.h"
#include "model/packet_text.h"
#include "output/json_line.h"
#include "output/see_line.h"
#include "output/summary.h"

static const char *const rank_names[HAPPENED_RANKS] = {
	[HAPPENED_DROPPED] = "dropped",
	[HAPPENED_MAYBE_DROPPED] = "possibly dropped",
	[HAPPENED_COPY_DROPPED] = "copy dropped",
	[HAPPENED_LOST] = "lost",
	[HAPPENED_REFUSED] = "call failed",
	[HAPPENED_NOT_TAPPED] = "not in packet socket",
	[HAPPENED_RESET] = "reset",
	[HAPPENED_ICMP_ERROR] = "icmp error",
	[HAPPENED_AGAIN] = "retransmission",
	[HAPPENED_UNKNOWN] = "unknown",
	[HAPPENED_QUEUED] = "queued",
	[HAPPENED_REDIRECTED] = "call redirected",
	[HAPPENED_DELIVERED] = "delivered",
	[HAPPENED_TAPPED] = "tapped",
	[HAPPENED_CONSUMED] = "consumed",
	[HAPPENED_FORWARDED] = "forwarded",
	[HAPPENED_SENT] = "sent",
	[HAPPENED_COPIED] = "copied",
	[HAPPENED_FREED] = "freed",
};

static void add_happened(struct json_object *to, const struct overview *overview)
{
	struct json_object *array = json_object_new_array();
	struct happened *const *rows;
	size_t n;

	rows = overview_happened(overview, &n);
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_new_object();

		json_add_text(row, "what", rank_names[rows[i]->rank]);
		json_add_text(row, "text", rows[i]->text);
		json_add_number(row, "count", rows[i]->nr);
		if (rows[i]->example)
			json_add_number(row, "example", rows[i]->example);
		if (rows[i]->nr_unread && rows[i]->nr_unread == rows[i]->nr)
			json_add_number(row, "unread_bytes", rows[i]->unread);
		json_add(row, "again", json_object_new_boolean(rows[i]->is_extra));
		json_object_array_add(array, row);
	}
	json_add(to, "happened", array);
}

static void add_stages(struct json_object *to, const struct overview *overview)
{
	struct json_object *array = json_object_new_array();
	struct stage_time *const *rows;
	size_t n;

	rows = overview_times(overview, &n);
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_new_object();

		json_add_text(row, "stage", rows[i]->name);
		json_add_times(row, &rows[i]->times);
		json_object_array_add(array, row);
	}
	json_add(to, "stages", array);
}

static void add_servers(struct json_object *to, const struct overview *overview)
{
	struct json_object *array = json_object_new_array();
	struct server *const *rows;
	size_t n;

	rows = overview_servers(overview, &n);
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_new_object();

		json_add_server(row, rows[i]);
		json_add_server_numbers(row, rows[i]);
		json_object_array_add(array, row);
	}
	json_add(to, "servers", array);
}

static void add_waits(struct json_object *to, const struct overview *overview,
		      const struct packets *packets)
{
	static const char *const names[OPEN_KINDS] = {
		[OPEN_UNREAD_BY_SERVER] = "not read by server",
		[OPEN_UNREAD_BY_CLIENT] = "not read by client",
		[OPEN_UNREAD] = "not read",
		[OPEN_CONNECT] = "connection not answered",
		[OPEN_REQUEST] = "request not answered",
		[OPEN_QUEUED] = "queued",
	};
	const uint64_t end = overview_last(overview);
	struct json_object *array = json_object_new_array();
	char command[COMMAND_LEN];
	struct see see = { .command = command, .devices = packets_devices(packets) };
	struct open_wait *const *rows;
	size_t n;

	rows = overview_open(overview, &n);
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_new_object();

		json_add_text(row, "what", names[rows[i]->kind]);
		if (rows[i]->server)
			json_add_server(row, rows[i]->server);
		if (rows[i]->where)
			json_add_text(row, "where", rows[i]->where);
		json_add_number(row, "count", rows[i]->nr);
		json_add_time(row, "at_least", end > rows[i]->since ? end - rows[i]->since : 0);
		json_add_number(row, "example", rows[i]->packet);
		if (open_wait_command(command, rows[i])) {
			see.netns = rows[i]->netns;
			see_add(row, &see);
		}
		json_object_array_add(array, row);
	}
	json_add(to, "waiting", array);
}

static void add_requests(struct json_object *to, struct requests_table *requests)
{
	struct json_object *object = json_object_new_object();
	char slowest[SLOWEST_LEN];

	requests_table_add_times(object, requests);
	json_add_text(object, "slowest", requests_table_slowest(slowest, requests));
	json_add(to, "requests", object);
}

void summary_print_json(const struct overview *overview, const struct recorded *recorded,
			const struct packets *packets, struct requests_table *requests,
			const struct reader *reader)
{
	struct json_object *object;
	struct found found;

	object = json_new_object("summary");
	summary_finding(overview, recorded, packets, &found);
	json_add_text(object, "file", recorded->file);
	if (recorded->machine)
		json_add_text(object, "machine", recorded->machine);
	if (recorded->arguments)
		json_add_text(object, "arguments", recorded->arguments);
	json_add_number(object, "cpus", recorded->cpus);
	if (recorded->sample > 1)
		json_add_number(object, "sample", recorded->sample);
	hosts_section_add(object, reader);
	json_add_number(object, "packets", overview_packets(overview));
	json_add_number(object, "flows", overview_flows(overview));
	if (overview_packets(overview)) {
		json_add_time(object, "first", overview_first(overview));
		json_add_time(object, "last", summary_last(overview, recorded));
	}
	json_add(object, "complete",
		 json_object_new_boolean(summary_is_complete(recorded, packets)));
	json_add_number(object, "incomplete_packets", packets_incomplete(packets));
	add_happened(object, overview);
	add_stages(object, overview);
	add_servers(object, overview);
	add_waits(object, overview, packets);
	if (requests && requests_table_count(requests))
		add_requests(object, requests);
	json_add_text(object, "finding", found.text);
	if (*found.command)
		json_add_text(object, "next", found.command);
	json_print_object(object);
}
