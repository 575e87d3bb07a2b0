/* SPDX-License-Identifier: GPL-2.0 */
/* requests_table.h - print where the time of each request over TCP went */
#ifndef _RECORD_SKB_REQUESTS_TABLE_H
#define _RECORD_SKB_REQUESTS_TABLE_H

#include "model/requests.h"

/**
 * struct requests_options - what to print
 * @by_total: sort the requests by their total time, the longest first
 * @top: print at most this number of requests, 0 for all
 * @json: print JSON objects
 */
struct requests_options {
	bool by_total;
	uint32_t top;
	bool json;
};

struct requests_table;

struct requests_table *requests_table_new(const struct requests_options *options);
void requests_table_free(struct requests_table *table);
/* A request_fn for requests_create(). @data is a struct requests_table. */
void requests_table_add(void *data, const struct request *request);
/**
 * requests_table_print - print the requests, the parts of their times, and the slowest request
 * @table: the requests
 * @unanswered: number of requests without a response
 *
 * Return: false if there was not enough memory for all requests.
 */
bool requests_table_print(struct requests_table *table, uint64_t unanswered);

#endif
