/* SPDX-License-Identifier: GPL-2.0 */
/* request_times.h - find the request for which a flow was in use at a given time */
#ifndef _RECORD_SKB_REQUEST_TIMES_H
#define _RECORD_SKB_REQUEST_TIMES_H

#include "model/requests.h"

/**
 * struct request_time - the time of one request
 * @flow: number of the flow
 * @packet: number of the packet that brought the last byte of the request, 0 if not known
 * @begun: as in struct request
 * @ended: as in struct request
 * @rest: as in struct request
 * @longest: the longest part, REQUEST_PARTS if a part that is not known may be longer
 */
struct request_time {
	uint32_t flow, packet;
	uint64_t begun, ended, rest;
	enum request_part longest;
};

struct request_times;

struct request_times *request_times_new(void);
void request_times_free(struct request_times *times);
/* This request_fn is for requests_create(). @data is a struct request_times. */
void request_times_add(void *data, const struct request *request);
/* Return: true if requests are missing because there was not enough memory. */
bool request_times_failed(const struct request_times *times);
/*
 * Return: the last request of the flow that began at @ts or earlier; NULL if the last data of its
 * response had come before @ts. Call this function after the last request was added.
 */
const struct request_time *request_times_find(struct request_times *times, uint32_t flow,
					      uint64_t ts);

#endif
