// SPDX-License-Identifier: GPL-2.0
/*
 * payloads.c - list the frames in a capture file of report-skb that were captured completely
 *
 * Each line has the last four bytes of a frame, and the frame's comment. The comment begins with the number
 * that report-skb gave the packet. If "traffic number" sent the packet, the last four bytes are the number
 * that it put there.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_PACKET 6
#define OPT_COMMENT  1

/* The fixed part of an enhanced packet block of a pcapng file, after its type and length. */
struct packet_block {
	uint32_t interface, high, low, captured, length;
};

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void print_comment(const uint8_t *options, const uint8_t *end)
{
	uint16_t option[2];

	for (; options + sizeof(option) <= end; options += sizeof(option) + padded(option[1])) {
		memcpy(option, options, sizeof(option));
		if (option[0] == OPT_COMMENT) {
			const uint8_t *text = options + sizeof(option);
			const uint8_t *line_end = memchr(text, '\n', option[1]);

			printf("%.*s", (int)(line_end ? line_end - text : option[1]), text);
			return;
		}
	}
}

static void print_packet(const uint8_t *data, size_t n)
{
	const struct packet_block *block = (const void *)data;
	const uint8_t *frame = data + sizeof(*block), *last;

	if (n < sizeof(*block) || block->captured != block->length || block->captured < 48 ||
	    block->captured > n - sizeof(*block))
		return;
	last = frame + block->captured - 4;
	printf("%02x%02x%02x%02x ", last[0], last[1], last[2], last[3]);
	print_comment(frame + padded(block->captured), data + n);
	putchar('\n');
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	static uint8_t data[1 << 20];
	uint32_t head[2];

	if (!file) {
		fputs("usage: payloads FILE\n", stderr);
		return 1;
	}
	while (fread(head, sizeof(head), 1, file)) {
		const size_t n = head[1] - sizeof(head);

		if (head[1] < sizeof(head) || n > sizeof(data) || !fread(data, n, 1, file)) {
			fputs("payloads: this file is damaged\n", stderr);
			return 1;
		}
		if (head[0] == BLOCK_PACKET)
			print_packet(data, n - sizeof(uint32_t));
	}
	return 0;
}
