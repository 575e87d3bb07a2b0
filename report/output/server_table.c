// SPDX-License-Identifier: GPL-2.0
/* server_table.c - print a line for each server: packets, flows, drops and times of answers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/packet_text.h"
#include "output/json_line.h"
#include "output/summary.h"

static uint64_t value_of(const struct server *server, enum server_order order)
{
	struct histogram *answers = (struct histogram *)&server->answers;

	switch (order) {
	case BY_PACKETS:
		return server->packets[0] + server->packets[1];
	case BY_BYTES:
		return server->bytes[0] + server->bytes[1];
	case BY_DROPPED:
		return server->dropped;
	case BY_MEDIAN:
		return histogram_percentile(answers, 50);
	case BY_P99:
		return histogram_percentile(answers, 99);
	case BY_MAX:
		return answers->max;
	case BY_TIME:
		return UINT64_MAX - server->first;
	}
	return 0;
}

/* A server, and the value by which servers are sorted. */
struct sorted {
	struct server *server;
	uint64_t value;
};

static int by_value(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->server->example > y->server->example) -
	       (x->server->example < y->server->example);
}

/* Return: the sorted servers, to be freed by the caller. The function sets @n to their number. */
static struct sorted *sort_servers(const struct overview *overview, enum server_order order,
				   size_t *n)
{
	struct server *const *servers = overview_servers(overview, n);
	struct sorted *sorted = calloc(*n + 1, sizeof(*sorted));

	for (size_t i = 0; sorted && i < *n; i++)
		sorted[i] = (struct sorted){ servers[i], value_of(servers[i], order) };
	if (!sorted)
		*n = 0;
	else if (*n)
		qsort(sorted, *n, sizeof(*sorted), by_value);
	return sorted;
}

static void print_server(struct server *server, const char *name)
{
	char median[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN], number[NUMBER_LEN];
	struct histogram *answers = &server->answers;
	const bool any = answers->nr;

	snprintf(number, sizeof(number), any ? "#%u" : "-", answers->packet);
	printf("%8llu %7llu %11llu %7llu %6llu %6llu %8llu %8s %8s %8s %8s  %s\n",
	       (unsigned long long)(server->packets[0] + server->packets[1]),
	       (unsigned long long)server->flows,
	       (unsigned long long)(server->bytes[0] + server->bytes[1]),
	       (unsigned long long)server->dropped, (unsigned long long)server->again,
	       (unsigned long long)server->resets, (unsigned long long)answers->nr,
	       any ? words_duration(median, histogram_percentile(answers, 50)) : "-",
	       any ? words_duration(p99, histogram_percentile(answers, 99)) : "-",
	       any ? words_duration(max, answers->max) : "-", number, name);
}

void servers_print(const struct overview *overview, const struct summary_options *options)
{
	char name[FLOW_TEXT_LEN];
	size_t n, top;
	struct sorted *sorted = sort_servers(overview, options->order, &n);

	top = options->top && options->top < n ? options->top : n;
	printf("%8s %7s %11s %7s %6s %6s %8s %8s %8s %8s %8s  %s\n", "PACKETS", "FLOWS", "BYTES",
	       "DROPPED", "AGAIN", "RESETS", "ANSWERS", "MEDIAN", "P99", "MAX", "EXAMPLE",
	       "SERVER");
	print_server(overview_total(overview), "all");
	for (size_t i = 0; i < top; i++)
		print_server(sorted[i].server, words_server(name, sorted[i].server));
	if (n > top)
		printf("and %zu more server%s\n", n - top, plural_of(n - top));
	free(sorted);
}

static void print_server_json(struct server *server, bool is_all)
{
	struct json_object *object = json_new_object(is_all ? "all servers" : "server");

	if (!is_all)
		json_add_server(object, server);
	json_add_server_numbers(object, server);
	json_print_object(object);
}

void servers_print_json(const struct overview *overview, const struct summary_options *options)
{
	size_t n;
	struct sorted *sorted = sort_servers(overview, options->order, &n);

	print_server_json(overview_total(overview), true);
	for (size_t i = 0; i < n && (!options->top || i < options->top); i++)
		print_server_json(sorted[i].server, false);
	free(sorted);
}
