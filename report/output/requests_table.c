// SPDX-License-Identifier: GPL-2.0
/* requests_table.c - print where the time of each request over TCP or UDP went */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "model/histogram.h"
#include "model/packet_text.h"
#include "output/json_line.h"
#include "output/requests_table.h"

#define TASK_LEN (32 + ON_HOST_LEN)

struct requests_table {
	struct requests_options options;
	struct request *v;
	size_t n, max;
	struct request slowest; /* only valid if @total is not empty */
	struct histogram total, parts[REQUEST_PARTS];
	uint64_t unanswered, mixed, clientless;
	bool failed;
};

struct requests_table *requests_table_new(const struct requests_options *options)
{
	struct requests_table *table = calloc(1, sizeof(*table));

	if (table)
		table->options = *options;
	return table;
}

void requests_table_free(struct requests_table *table)
{
	if (!table)
		return;
	histogram_free(&table->total);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++)
		histogram_free(&table->parts[part]);
	free(table->v);
	free(table);
}

static uint64_t total_of(const struct request *request)
{
	return request->ended - request->begun;
}

static int compare_begins(const void *one, const void *two)
{
	const struct request *a = one, *b = two;

	return a->begun < b->begun ? -1 : a->begun > b->begun;
}

static int compare_totals(const void *one, const void *two)
{
	const uint64_t a = total_of(one), b = total_of(two);

	return a > b ? -1 : a < b ? 1 : compare_begins(one, two);
}

/*
 * Return: true if the selection contains the request. Before the times are compared, they are rounded as
 * words_time() prints them.
 */
static bool is_chosen(const struct requests_table *table, const struct request *request)
{
	const struct chosen *chosen = table->options.chosen;

	return !chosen || ((!chosen->by_flow || chosen->flow == request->flow_number) &&
			   (request->begun + 500) / 1000 <= chosen->to &&
			   (request->ended + 500) / 1000 >= chosen->from);
}

static void keep_row(struct requests_table *table, const struct request *request)
{
	const size_t max = table->max ? table->max * 2 : 64;
	struct request *v;

	if (table->n == table->max) {
		v = realloc(table->v, max * sizeof(*v));
		if (!v) {
			table->failed = true;
			return;
		}
		table->v = v;
		table->max = max;
	}
	table->v[table->n++] = *request;
}

void requests_table_add(void *data, const struct request *request)
{
	struct requests_table *table = data;

	if (!is_chosen(table, request))
		return;
	if (!table->options.no_rows)
		keep_row(table, request);
	if (!table->total.nr || compare_totals(request, &table->slowest) < 0)
		table->slowest = *request;
	table->failed |= !histogram_add(&table->total, total_of(request), request->packet);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (request->known[part])
			table->failed |= !histogram_add(&table->parts[part], request->parts[part],
							request->packet);
	}
}

void requests_table_set_unanswered(struct requests_table *table, const struct requests *requests)
{
	table->unanswered = requests_unanswered(requests);
	table->mixed = requests_mixed(requests);
	table->clientless = requests_clientless(requests);
}

uint64_t requests_table_count(const struct requests_table *table)
{
	return table->total.nr;
}

struct histogram *requests_table_times(struct requests_table *table, enum request_part part)
{
	return part == REQUEST_PARTS ? &table->total : &table->parts[part];
}

/* Text */

static const char *task_text(char *buf, const char *comm, int pid)
{
	char text[ESCAPED_LEN(TASK_NAME_LEN + 1)], host[ON_HOST_LEN];

	if (pid)
		snprintf(buf, TASK_LEN, "%s-%d%s", escape_text(text, sizeof(text), comm),
			 hosts_pid_of_task(pid), words_on_host(host, pid));
	else
		snprintf(buf, TASK_LEN, "?");
	return buf;
}

static void print_part(const struct request *request, enum request_part part)
{
	char ns[DURATION_LEN];

	printf(" %11s", request->known[part] ? words_duration(ns, request->parts[part]) : "?");
}

static void print_row(const struct request *request)
{
	char time[TIME_LEN], total[DURATION_LEN], flow[FLOW_TEXT_LEN], task[TASK_LEN];

	printf("%14s  %-42s %-16s %9s", words_time(time, request->begun),
	       words_flow(flow, &request->flow),
	       task_text(task, request->server, request->server_pid),
	       words_duration(total, total_of(request)));
	for (enum request_part part = 0; part < REQUEST_PARTS; part++)
		print_part(request, part);
	printf(" %8llu %8llu\n", (unsigned long long)request->request_bytes,
	       (unsigned long long)request->response_bytes);
}

static void print_rows(const struct requests_table *table, size_t rows)
{
	printf("%14s  %-42s %-16s %9s %11s %11s %11s %11s %11s %11s %8s %8s\n", "TIME", "FLOW",
	       "SERVER", "TOTAL", "CLIENT", "TRANSIT", "STACK IN", "RECV QUEUE", "APPLICATION",
	       "RESPONSE", "BYTES IN", "OUT");
	for (size_t i = 0; i < rows; i++)
		print_row(&table->v[i]);
	if (rows < table->n)
		printf("… and %zu more\n", table->n - rows);
}

static void print_times(const char *name, struct histogram *times)
{
	char median[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN];

	if (times->nr)
		printf("%-16s %9llu %11s %11s %11s\n", name, (unsigned long long)times->nr,
		       words_duration(median, histogram_percentile(times, 50)),
		       words_duration(p99, histogram_percentile(times, 99)),
		       words_duration(max, times->max));
}

/* Add the longest part of the slowest request to the sentence at @buf. */
static void add_longest(char *buf, const struct request *slowest)
{
	const enum request_part longest = request_longest_part(slowest);
	char ns[DURATION_LEN], task[TASK_LEN];

	if (longest == REQUEST_PARTS) {
		strcpy(buf, ", most of it in parts that are not known");
		return;
	}
	buf += snprintf(buf, SLOWEST_LEN / 2, ", of which %s: %s", request_part_name(longest),
			words_duration(ns, slowest->parts[longest]));
	if (longest == REQUEST_APPLICATION || longest == REQUEST_QUEUE)
		snprintf(buf, SLOWEST_LEN / 4, " (%s)",
			 task_text(task, slowest->server, slowest->server_pid));
}

/*
 * Only for joined recordings: add the parts of the slowest request, with their hosts, to the sentence at
 * @buf. Example: ": 206 ms client stack, 2.50 ms network, 121 us nginx-812 on server".
 */
static void add_parts(char *buf, const struct request *slowest)
{
	static const char *const names[REQUEST_PARTS] = {
		[REQUEST_CLIENT] = "client stack", [REQUEST_TRANSIT] = "network",
		[REQUEST_SERVER] = "server stack", [REQUEST_QUEUE] = "server's receive queue",
		[REQUEST_RESPONSE] = "response",
	};
	const char *before = ": ";
	char ns[DURATION_LEN], task[TASK_LEN];

	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (!slowest->known[part])
			continue;
		task_text(task, slowest->server, slowest->server_pid);
		buf += snprintf(buf, TASK_LEN + 48, "%s%s %s", before,
				words_duration(ns, slowest->parts[part]),
				part == REQUEST_APPLICATION ? task : names[part]);
		before = ", ";
	}
}

const char *requests_table_slowest(char *buf, const struct requests_table *table)
{
	const struct request *slowest = &table->slowest;
	char total[DURATION_LEN], time[TIME_LEN];

	buf[0] = '\0';
	if (!table->total.nr)
		return buf;
	snprintf(buf, SLOWEST_LEN / 4, "%s at %s", words_duration(total, total_of(slowest)),
		 words_time(time, slowest->begun));
	if (hosts_count() && slowest->has_client && slowest->has_server)
		add_parts(buf + strlen(buf), slowest);
	else
		add_longest(buf + strlen(buf), slowest);
	if (slowest->again)
		strcat(buf, "; the request was sent again");
	return buf;
}

static void print_text(struct requests_table *table, size_t rows)
{
	char slowest[SLOWEST_LEN];

	if (!table->options.no_rows)
		print_rows(table, rows);
	if (!table->total.nr)
		return;
	printf("\n%-16s %9s %11s %11s %11s\n", "PART", "REQUESTS", "MEDIAN", "P99", "MAX");
	print_times("total", &table->total);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++)
		print_times(request_part_name(part), &table->parts[part]);
	printf("slowest: %s\n", requests_table_slowest(slowest, table));
}

/* JSON */

static const char *const part_members[REQUEST_PARTS] = {
	[REQUEST_CLIENT] = "client",	       [REQUEST_TRANSIT] = "transit",
	[REQUEST_SERVER] = "server_stack",     [REQUEST_QUEUE] = "receive_queue",
	[REQUEST_APPLICATION] = "application", [REQUEST_RESPONSE] = "response",
};

static void add_task(struct json_object *to, const char *what, const char *comm, int pid)
{
	struct json_object *task;

	if (!pid)
		return;
	task = json_object_new_object();
	json_add_text(task, "name", comm);
	json_add_number(task, "pid", hosts_pid_of_task(pid));
	if (hosts_count())
		json_add_text(task, "host", hosts_name(hosts_of_task(pid)));
	json_add(to, what, task);
}

static void print_request_json(const struct request *request)
{
	struct json_object *object = json_new_object("request"), *parts = json_object_new_object();
	const enum request_part longest = request_longest_part(request);
	char flow[FLOW_TEXT_LEN];

	json_add_number(object, "flow_number", request->flow_number);
	json_add_text(object, "flow", words_flow(flow, &request->flow));
	json_add_time(object, "begun", request->begun);
	json_add_time(object, "ended", request->ended);
	json_add_time(object, "total", total_of(request));
	json_add_number(object, "request_bytes", request->request_bytes);
	json_add_number(object, "response_bytes", request->response_bytes);
	if (request->packet)
		json_add_number(object, "packet", request->packet);
	if (request->again)
		json_add_number(object, "sent_again", request->again);
	add_task(object, "client", request->client, request->client_pid);
	add_task(object, "server", request->server, request->server_pid);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (request->known[part])
			json_add_named_time(parts, part_members[part], request->parts[part]);
	}
	json_add(object, "parts", parts);
	if (longest != REQUEST_PARTS)
		json_add_text(object, "longest_part", request_part_name(longest));
	json_print_object(object);
}

void requests_table_add_times(struct json_object *to, struct requests_table *table)
{
	struct json_object *times;

	json_add_times(to, &table->total);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (!table->parts[part].nr)
			continue;
		times = json_object_new_object();
		json_add_times(times, &table->parts[part]);
		json_add(to, part_members[part], times);
	}
}

static void print_json(struct requests_table *table, size_t rows)
{
	struct json_object *object;

	for (size_t i = 0; i < rows; i++)
		print_request_json(&table->v[i]);
	if (table->options.no_rows && !table->total.nr)
		return;
	object = json_new_object("requests");
	json_add_number(object, "unanswered", table->unanswered);
	json_add_number(object, "mixed", table->mixed);
	json_add_number(object, "clientless", table->clientless);
	requests_table_add_times(object, table);
	json_print_object(object);
}

/* Print the numbers of connections with requests that are not in the table. */
static void print_missing(const struct requests_table *table)
{
	if (table->unanswered)
		printf("in %llu flow%s, the last data of the client had no response until the end of the "
		       "recording\n",
		       (unsigned long long)table->unanswered, plural_of(table->unanswered));
	if (table->mixed)
		printf("%llu connection%s with data in both directions at the same time: "
		       "later requests are unknown\n",
		       (unsigned long long)table->mixed, plural_of(table->mixed));
	if (table->clientless)
		printf("%llu connection%s without a beginning, and the ports do not show the client: "
		       "the requests are unknown\n",
		       (unsigned long long)table->clientless, plural_of(table->clientless));
}

bool requests_table_print(struct requests_table *table)
{
	size_t rows = table->n;

	if (table->n)
		qsort(table->v, table->n, sizeof(*table->v),
		      table->options.by_total ? compare_totals : compare_begins);
	if (table->options.top && table->options.top < rows)
		rows = table->options.top;
	if (table->options.json)
		print_json(table, rows);
	else
		print_text(table, rows);
	if (!table->options.json && !table->options.no_rows)
		print_missing(table);
	return !table->failed;
}
