/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_PCAPNG_H
#define _REPORT_SKB_PCAPNG_H

#include "err.h"
#include "packets.h"

struct pcapng;

/**
 * pcapng_new - begin a capture file
 * @path: it is overwritten; "-" for standard output
 * @packets: where the devices are from; it may be set only before the first packet comes
 * @frames: what the packets put there
 * @err: why not
 */
struct pcapng *pcapng_new(const char *path, struct packets **packets, struct frames *frames,
			  struct err *err);

/* Writes the frames, and frees it. Fails if not all could be written. */
int pcapng_close(struct pcapng *pcapng, struct err *err);

/* @data is the struct pcapng. */
extern const struct output pcapng_output;
/* With the same data: what time of day it was. */
extern const struct sink pcapng_sink;

#endif
