/* SPDX-License-Identifier: GPL-2.0 */
/* why.h - print why packets were dropped and calls failed, and the command that shows the cause */
#ifndef _RECORD_SKB_WHY_H
#define _RECORD_SKB_WHY_H

#include "model/explanations.h"
#include "model/packet_filter.h"
#include "model/resets.h"

/**
 * struct why_options - options of the output
 * @number: number of the only packet to explain; 0 for all dropped packets and failed calls
 * @chosen: the selection of packets. Failed calls do not belong to a packet, so they are printed only if
 *	there is no selection, or if their flow is selected
 * @json: print JSON objects
 * @by_time: sort groups by the time of their first packet; if false, sort them by their number of packets
 * @top: maximum number of groups; 0 for any number
 */
struct why_options {
	uint32_t number;
	const struct chosen *chosen;
	bool json, by_time;
	uint32_t top;
};

struct why;

/**
 * why_new - begin to explain drops and failed calls on standard output
 * @options: the options. @options and @explanations must outlive the result
 * @explanations: the causes
 * @resets: origins of resets and ICMP errors
 * @packets: address of a pointer to struct packets, which knows the devices. The pointer must be set before
 *	the first packet
 *
 * Packets that were dropped for the same cause on the way to or from the same server are printed together.
 */
struct why *why_new(const struct why_options *options, struct explanations *explanations,
		    const struct resets *resets, struct packets **packets);
void why_free(struct why *why);

/* This output gets the packets. Its argument @data is a struct why. */
extern const struct output why_output;

/*
 * Return: true if the recording contains the packet that the options select by @number. Call this function
 * after the last packet.
 */
bool why_found(const struct why *why);
/* Return: true if the place of a drop is printed, because its cause is not known. */
bool why_shows_places(const struct why *why);

#endif
