/* SPDX-License-Identifier: GPL-2.0 */
/* requests_table.h - print where the time of each request over TCP or UDP went */
#ifndef _RECORD_SKB_REQUESTS_TABLE_H
#define _RECORD_SKB_REQUESTS_TABLE_H

#include "model/histogram.h"
#include "model/packet_filter.h"
#include "model/requests.h"

/**
 * struct requests_options - what to print
 * @by_total: sort the requests by their total time, the longest first
 * @top: print at most this number of requests, 0 for all
 * @json: print JSON objects
 * @no_rows: leave out the rows for single requests; print only the times of the parts and the slowest request
 * @chosen: the selection; only its flow and its times are used. NULL for all requests
 */
struct requests_options {
	bool by_total;
	uint32_t top;
	bool json, no_rows;
	const struct chosen *chosen;
};

struct json_object;
struct requests_table;

struct requests_table *requests_table_new(const struct requests_options *options);
void requests_table_free(struct requests_table *table);
/* This request_fn is for requests_create(). @data is a struct requests_table. */
void requests_table_add(void *data, const struct request *request);
/* Note how many requests have no response, and how many connections could not be divided into requests. */
void requests_table_set_counts(struct requests_table *table, const struct requests *requests);
/*
 * Print the requests, the parts of their times, and the slowest request.
 *
 * Return: false if there was not enough memory for all requests.
 */
bool requests_table_print(struct requests_table *table);

/* Return: the number of requests with a response. */
uint64_t requests_table_count(const struct requests_table *table);
/*
 * Return: the times that one part had in all requests; with REQUEST_PARTS, the total times of the requests.
 */
struct histogram *requests_table_times(struct requests_table *table, enum request_part part);

#define SLOWEST_LEN 4096
/* Format a sentence about the slowest request into SLOWEST_LEN bytes at @buf; empty without requests. */
const char *requests_table_slowest(char *buf, const struct requests_table *table);

/* Add the times of all requests and parts to a JSON object. */
void requests_table_add_times(struct json_object *to, struct requests_table *table);

/* Return: the number of rows in the section about requests of the summary. @table may be NULL. */
size_t requests_section_rows(struct requests_table *table);
/*
 * Print the first @shown rows of this section: the total time of the requests, and then the parts, the
 * longest first.
 */
void requests_section_print(struct requests_table *table, size_t shown);

#endif
