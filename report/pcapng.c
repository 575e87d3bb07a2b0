// SPDX-License-Identifier: GPL-2.0
/*
 * pcapng.c - the recorded headers as a capture file
 *
 * Each device is an interface and each packet a frame on each that it crossed, with its number
 * and what became of it. A frame begins with a "Linux cooked" header (link type SLL): what stood
 * in front of the network header is not recorded, but direction and protocol are, and ARP has no
 * IP to begin with.
 *
 * Numbers are written in this machine's byte order; a reader sees from the first block which that
 * is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "headers.h"
#include "pcapng.h"
#include "words.h"

#define BLOCK_SECTION	0x0a0d0d0a
#define BLOCK_INTERFACE 1
#define BLOCK_PACKET	6

#define OPT_COMMENT    1
#define OPT_IF_NAME    2
#define OPT_IF_TSRESOL 9
#define OPT_EPB_FLAGS  2
#define OPT_EPB_ID     5

struct pcapng {
	FILE *out;
	char *path;
	struct packets **packets;
	struct frames *frames;
	uint16_t *interfaces; /* by device number: 1 + the interface's, 0 if it has none yet */
	size_t nr_devices;
	uint16_t nr_interfaces;
	uint64_t wall; /* what to add to a time of the trace to have that of the day */
	bool knows_wall;
};

/* A block in the making. */
struct block {
	uint8_t data[1024];
	size_t len;
};

static void put(struct block *block, const void *data, size_t len)
{
	if (len > sizeof(block->data) - block->len)
		len = sizeof(block->data) - block->len;
	memcpy(block->data + block->len, data, len);
	block->len += len;
}

static void put16(struct block *block, uint16_t value)
{
	put(block, &value, sizeof(value));
}

static void put32(struct block *block, uint32_t value)
{
	put(block, &value, sizeof(value));
}

static void put64(struct block *block, uint64_t value)
{
	put(block, &value, sizeof(value));
}

static void put_padded(struct block *block, const void *data, size_t len)
{
	static const uint8_t zero[4];

	put(block, data, len);
	put(block, zero, -len & 3);
}

static void put_option(struct block *block, uint16_t code, const void *data, uint16_t len)
{
	put16(block, code);
	put16(block, len);
	put_padded(block, data, len);
}

static void begin_block(struct block *block, uint32_t type)
{
	block->len = 0;
	put32(block, type);
	put32(block, 0);
}

static void write_block(struct pcapng *pcapng, struct block *block)
{
	uint32_t len = block->len + 4;

	memcpy(block->data + 4, &len, sizeof(len));
	put32(block, len);
	fwrite(block->data, 1, block->len, pcapng->out);
}

static void write_section(struct pcapng *pcapng)
{
	struct block block;

	begin_block(&block, BLOCK_SECTION);
	put32(&block, 0x1a2b3c4d);
	put16(&block, 1);
	put16(&block, 0);
	put64(&block, UINT64_MAX); /* of unknown length */
	write_block(pcapng, &block);
}

static void write_interface(struct pcapng *pcapng, const struct device *device)
{
	static const uint8_t nanoseconds = 9;
	char comment[32];
	struct block block;

	begin_block(&block, BLOCK_INTERFACE);
	put16(&block, LINKTYPE_SLL);
	put16(&block, 0);
	put32(&block, 0); /* no limit */
	put_option(&block, OPT_IF_NAME, device->name, strlen(device->name));
	put_option(&block, OPT_IF_TSRESOL, &nanoseconds, 1);
	if (device->netns) {
		snprintf(comment, sizeof(comment), "netns %u", device->netns);
		put_option(&block, OPT_COMMENT, comment, strlen(comment));
	}
	put32(&block, 0);
	write_block(pcapng, &block);
}

static int interface_of(struct pcapng *pcapng, uint16_t device)
{
	uint16_t *interfaces;
	size_t n;

	if (device >= pcapng->nr_devices) {
		n = device + 16;
		interfaces = realloc(pcapng->interfaces, n * sizeof(*interfaces));
		if (!interfaces)
			return -1;
		memset(interfaces + pcapng->nr_devices, 0,
		       (n - pcapng->nr_devices) * sizeof(*interfaces));
		pcapng->interfaces = interfaces;
		pcapng->nr_devices = n;
	}
	if (!pcapng->interfaces[device]) {
		write_interface(pcapng, devices_get(packets_devices(*pcapng->packets), device));
		pcapng->interfaces[device] = ++pcapng->nr_interfaces;
	}
	return pcapng->interfaces[device] - 1;
}

static void write_frame(void *data, const struct frame *frame, const char *comment)
{
	struct pcapng *pcapng = data;
	uint64_t ts = frame->ts + pcapng->wall;
	int interface = interface_of(pcapng, frame->device);
	uint32_t flags = frame->dir == 1 ? 1 : frame->dir == 2 ? 2 : 0;
	uint64_t id = frame->number;
	uint8_t header[COOKED_LEN];
	struct block block;

	if (interface < 0)
		return;
	begin_block(&block, BLOCK_PACKET);
	put32(&block, interface);
	put32(&block, ts >> 32);
	put32(&block, ts);
	put32(&block, frame->caplen + COOKED_LEN);
	put32(&block, frame->len + COOKED_LEN);
	cooked_header(header, frame->dir, frame->ethertype);
	put(&block, header, sizeof(header));
	put_padded(&block, frame->data, frame->caplen);
	put_option(&block, OPT_COMMENT, comment, strlen(comment));
	put_option(&block, OPT_EPB_FLAGS, &flags, sizeof(flags));
	put_option(&block, OPT_EPB_ID, &id, sizeof(id));
	put32(&block, 0);
	write_block(pcapng, &block);
}

struct pcapng *pcapng_new(const char *path, struct packets **packets, struct frames *frames,
			  struct err *err)
{
	struct pcapng *pcapng = calloc(1, sizeof(*pcapng));

	if (!pcapng || !(pcapng->path = strdup(path))) {
		free(pcapng);
		err_set(err, "out of memory");
		return NULL;
	}
	pcapng->packets = packets;
	pcapng->frames = frames;
	pcapng->out = strcmp(path, "-") ? fopen(path, "w") : stdout;
	if (!pcapng->out) {
		err_set(err, "cannot write '%s': %s", path, strerror(errno));
		free(pcapng->path);
		free(pcapng);
		return NULL;
	}
	write_section(pcapng);
	return pcapng;
}

int pcapng_close(struct pcapng *pcapng, struct err *err)
{
	int ret = frames_each(pcapng->frames, write_frame, pcapng, err);
	int failed = ferror(pcapng->out);

	if (pcapng->out == stdout ? fflush(stdout) : fclose(pcapng->out))
		failed = 1;
	if (failed && !ret)
		ret = err_set(err, "cannot write '%s': %s", pcapng->path, strerror(errno));
	free(pcapng->interfaces);
	free(pcapng->path);
	free(pcapng);
	return ret;
}

static void one_packet(void *data, const struct packet *packet)
{
	struct pcapng *pcapng = data;
	char comment[FRAME_COMMENT], number[NUMBER_LEN], outcome[VERDICT_LEN];

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		snprintf(comment, sizeof(comment), "#%s %s%s", words_number(number, packet, copy),
			 words_outcome(outcome, &copy->outcome, packets_devices(*pcapng->packets)),
			 packet->incomplete ? " (rows lost)" : "");
		frames_remark(pcapng->frames, copy->frames, copy->nr_frames, comment);
	}
}

/* Of several the first: the clock may be set meanwhile. */
static void wall_clock(void *data, const struct moment *at, uint64_t real)
{
	struct pcapng *pcapng = data;

	if (!pcapng->knows_wall)
		pcapng->wall = real - at->ts;
	pcapng->knows_wall = true;
}

const struct sink pcapng_sink = { .wall_clock = wall_clock };
const struct output pcapng_output = { .packet = one_packet };
