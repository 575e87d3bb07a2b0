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
	struct histogram total, rest, parts[REQUEST_PARTS];
	struct requests_counts counts;
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
	histogram_free(&table->rest);
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
			   (request->ended + request->rest + 500) / 1000 >= chosen->from);
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

/* Return: true if most requests do not have this part, so a part of length 0 does not count. */
static bool is_rare(enum request_part part)
{
	return part == REQUEST_AGAIN || part == REQUEST_MISSING || part == REQUEST_CLIENT_QUEUE;
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
	if (request->rest)
		table->failed |= !histogram_add(&table->rest, request->rest, request->packet);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (request->known[part] && (request->parts[part] || !is_rare(part)))
			table->failed |= !histogram_add(&table->parts[part], request->parts[part],
							request->packet);
	}
}

void requests_table_set_counts(struct requests_table *table, const struct requests *requests)
{
	table->counts = *requests_counts(requests);
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
	printf(" %11s %8llu %8llu\n", request->rest ? words_duration(total, request->rest) : "-",
	       (unsigned long long)request->request_bytes,
	       (unsigned long long)request->response_bytes);
}

static void print_rows(const struct requests_table *table, size_t rows)
{
	static const char *const heads[REQUEST_PARTS] = {
		[REQUEST_CLIENT] = "CLIENT",	       [REQUEST_AGAIN] = "SENT AGAIN",
		[REQUEST_TRANSIT] = "TRANSIT",	       [REQUEST_SERVER] = "STACK IN",
		[REQUEST_MISSING] = "MISSING",	       [REQUEST_QUEUE] = "RECV QUEUE",
		[REQUEST_APPLICATION] = "APPLICATION", [REQUEST_RESPONSE] = "RESPONSE",
		[REQUEST_CLIENT_QUEUE] = "CLIENT QU.",
	};

	printf("%14s  %-42s %-16s %9s", "TIME", "FLOW", "SERVER", "TOTAL");
	for (enum request_part part = 0; part < REQUEST_PARTS; part++)
		printf(" %11s", heads[part]);
	printf(" %11s %8s %8s\n", "REST", "BYTES IN", "OUT");
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
		strcpy(buf, "; the longest part is not known");
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
 * @buf. Example: ": 206 ms sent again, 2.50 ms network, 121 us nginx-812 on server".
 */
static void add_parts(char *buf, const struct request *slowest)
{
	static const char *const names[REQUEST_PARTS] = {
		[REQUEST_CLIENT] = "client",
		[REQUEST_AGAIN] = "sent again",
		[REQUEST_TRANSIT] = "network",
		[REQUEST_SERVER] = "server stack",
		[REQUEST_MISSING] = "missing bytes",
		[REQUEST_QUEUE] = "server's receive queue",
		[REQUEST_RESPONSE] = "response",
		[REQUEST_CLIENT_QUEUE] = "client's receive queue",
	};
	const char *before = ": ";
	char ns[DURATION_LEN], task[TASK_LEN];

	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		if (!slowest->known[part] || (!slowest->parts[part] && is_rare(part)))
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
		strcat(buf, "; data of the request was sent again");
	if (slowest->response_again)
		strcat(buf, "; data of the response was sent again");
	if (slowest->rest > total_of(slowest))
		snprintf(buf + strlen(buf), 64, "; the last data of the server came %s later",
			 words_duration(total, slowest->rest));
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
	print_times("rest of response", &table->rest);
	printf("slowest: %s\n", requests_table_slowest(slowest, table));
}

/* JSON */

static const char *const part_members[REQUEST_PARTS] = {
	[REQUEST_CLIENT] = "client",
	[REQUEST_AGAIN] = "sent_again",
	[REQUEST_TRANSIT] = "transit",
	[REQUEST_SERVER] = "server_stack",
	[REQUEST_MISSING] = "missing_bytes",
	[REQUEST_QUEUE] = "receive_queue",
	[REQUEST_APPLICATION] = "application",
	[REQUEST_RESPONSE] = "response",
	[REQUEST_CLIENT_QUEUE] = "client_queue",
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
	json_add_time(object, "rest", request->rest);
	json_add_number(object, "request_bytes", request->request_bytes);
	json_add_number(object, "response_bytes", request->response_bytes);
	if (request->packet)
		json_add_number(object, "packet", request->packet);
	if (request->again)
		json_add_number(object, "sent_again", request->again);
	if (request->response_again)
		json_add_number(object, "response_sent_again", request->response_again);
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

static void add_part_times(struct json_object *to, const char *member, struct histogram *part)
{
	struct json_object *times;

	if (!part->nr)
		return;
	times = json_object_new_object();
	json_add_times(times, part);
	json_add(to, member, times);
}

void requests_table_add_times(struct json_object *to, struct requests_table *table)
{
	json_add_times(to, &table->total);
	for (enum request_part part = 0; part < REQUEST_PARTS; part++)
		add_part_times(to, part_members[part], &table->parts[part]);
	add_part_times(to, "rest", &table->rest);
}

static void print_json(struct requests_table *table, size_t rows)
{
	const struct requests_counts *counts = &table->counts;
	struct json_object *object;

	for (size_t i = 0; i < rows; i++)
		print_request_json(&table->v[i]);
	if (table->options.no_rows && !table->total.nr)
		return;
	object = json_new_object("requests");
	json_add_number(object, "unanswered", counts->unanswered);
	json_add_number(object, "unknown", counts->unknown);
	json_add_number(object, "mixed", counts->mixed);
	json_add_number(object, "unsorted", counts->unsorted);
	json_add_number(object, "clientless", counts->clientless);
	json_add_number(object, "overlapping", counts->overlapping);
	json_add_number(object, "overlapping_datagrams", counts->overlapping_sent);
	json_add_number(object, "overlapping_answers", counts->overlapping_answers);
	requests_table_add_times(object, table);
	json_print_object(object);
}

/* Print the numbers of connections with requests that are not in the table. */
static void print_missing(const struct requests_counts *counts)
{
	if (counts->unanswered)
		printf("in %llu flow%s, the last data of the client had no response until the end of the "
		       "recording\n",
		       (unsigned long long)counts->unanswered, plural_of(counts->unanswered));
	if (counts->unknown)
		printf("%llu request%s with an unknown response: the recording may lack it\n",
		       (unsigned long long)counts->unknown, plural_of(counts->unknown));
	if (counts->overlapping)
		printf("%llu flow%s in which different datagrams waited for an answer: %llu datagram%s, "
		       "%llu answer%s; it is unknown which were answered\n",
		       (unsigned long long)counts->overlapping, plural_of(counts->overlapping),
		       (unsigned long long)counts->overlapping_sent,
		       plural_of(counts->overlapping_sent),
		       (unsigned long long)counts->overlapping_answers,
		       plural_of(counts->overlapping_answers));
	if (counts->mixed)
		printf("%llu connection%s with data in both directions at the same time: "
		       "later requests are unknown\n",
		       (unsigned long long)counts->mixed, plural_of(counts->mixed));
	if (counts->unsorted)
		printf("%llu connection%s with too much data in one direction to find the order of both: "
		       "later requests are unknown\n",
		       (unsigned long long)counts->unsorted, plural_of(counts->unsorted));
	if (counts->clientless)
		printf("%llu connection%s without a beginning, and the ports do not show the client: "
		       "the requests are unknown\n",
		       (unsigned long long)counts->clientless, plural_of(counts->clientless));
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
		print_missing(&table->counts);
	return !table->failed;
}
