// SPDX-License-Identifier: GPL-2.0
/*
 * pcapng.c - write the recorded headers to a capture file
 *
 * Each device is an interface of the capture file. The file has a frame for each device that a packet passed
 * through. The frame's comment has the packet's number and outcome. The recording contains the direction and
 * the protocol, but not the link-layer header. Therefore each frame begins with a "Linux cooked" header (link
 * type SLL). The link type "raw IP" cannot be used, because ARP packets have no IP header.
 *
 * Numbers are written in the byte order of this machine. Programs that read the file detect the byte order
 * from the first block.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "hosts/hosts.h"
#include "hash_table.h"
#include "model/packet_headers.h"
#include "output/output_file.h"
#include "output/pcapng.h"
#include "model/packet_text.h"

#define BLOCK_SECTION	0x0a0d0d0a
#define BLOCK_INTERFACE 1
#define BLOCK_PACKET	6

#define OPT_COMMENT	1
#define OPT_IF_NAME	2
#define OPT_IF_TSRESOL	9
#define OPT_EPB_FLAGS	2
#define OPT_EPB_ID	5
#define OPT_EPB_VERDICT 7
#define OPT_EPB_TASK	8 /* epb_processid_threadid */

/* The call graph of a packet. It is stored until the frame that gets the graph is written. */
struct text {
	struct packet_graph_text graph;
};

struct pcapng {
	FILE *out;
	char *path;
	struct packets **packets;
	struct captured_frames *frames;
	struct packet_graphs *graphs;
	struct stages *stages;
	struct request_times *times;
	struct table
		texts; /* table of struct text, by packet number: graphs that are not written yet */
	/*
	 * For each device, 1 + the number of its interface in the file; 0 if the interface is not written
	 * yet.
	 */
	uint16_t *interfaces;
	size_t nr_devices;
	uint16_t nr_interfaces;
	uint64_t wall; /* difference: the wall-clock time minus the time of the trace clock */
	bool knows_wall;
};

/* Maximum length of a call graph. It is less than 65,535 bytes, the limit of an option in a block. */
#define GRAPH_MAX 60000

/* A block of the file, which is built in memory before it is written. */
struct block {
	uint8_t data[2048 + GRAPH_MAX];
	size_t len;
};

static void put_bytes(struct block *block, const void *data, size_t len)
{
	if (len > sizeof(block->data) - block->len)
		len = sizeof(block->data) - block->len;
	memcpy(block->data + block->len, data, len);
	block->len += len;
}

static void put_u16(struct block *block, uint16_t value)
{
	put_bytes(block, &value, sizeof(value));
}

static void put_u32(struct block *block, uint32_t value)
{
	put_bytes(block, &value, sizeof(value));
}

static void put_u64(struct block *block, uint64_t value)
{
	put_bytes(block, &value, sizeof(value));
}

static void put_padded(struct block *block, const void *data, size_t len)
{
	static const uint8_t zero[4];

	put_bytes(block, data, len);
	put_bytes(block, zero, -len & 3);
}

static void put_option(struct block *block, uint16_t code, const void *data, uint16_t len)
{
	put_u16(block, code);
	put_u16(block, len);
	put_padded(block, data, len);
}

static void begin_block(struct block *block, uint32_t type)
{
	block->len = 0;
	put_u32(block, type);
	put_u32(block, 0);
}

static void write_block(struct pcapng *pcapng, struct block *block)
{
	uint32_t len = block->len + 4;

	memcpy(block->data + 4, &len, sizeof(len));
	put_u32(block, len);
	fwrite(block->data, 1, block->len, pcapng->out);
}

static void write_section(struct pcapng *pcapng)
{
	struct block block;

	begin_block(&block, BLOCK_SECTION);
	put_u32(&block, 0x1a2b3c4d);
	put_u16(&block, 1);
	put_u16(&block, 0);
	put_u64(&block, UINT64_MAX); /* section length: unknown */
	write_block(pcapng, &block);
}

static void write_interface(struct pcapng *pcapng, const struct device *device)
{
	const struct netns_name *name =
		devices_netns_name(packets_devices(*pcapng->packets), device);
	static const uint8_t nanoseconds = 9;
	char comment[NETNS_TEXT_LEN + 32], text[DEVICE_NAME_LEN * 4 + HOST_NAME_LEN * 4 + 4];
	struct block block;

	begin_block(&block, BLOCK_INTERFACE);
	put_u16(&block, LINKTYPE_SLL);
	put_u16(&block, 0);
	put_u32(&block, 0); /* snapshot length: no limit */
	snprintf(text, sizeof(text), "%s%s%s",
		 hosts_count() ? hosts_name(hosts_of_netns(device->netns)) : "",
		 hosts_count() ? ": " : "", device->text);
	put_option(&block, OPT_IF_NAME, text, strlen(text));
	put_option(&block, OPT_IF_TSRESOL, &nanoseconds, 1);
	if (device->netns) {
		snprintf(comment, sizeof(comment), "netns %u%s%s",
			 hosts_inode_of_netns(device->netns), name ? " " : "",
			 name ? name->text : "");
		put_option(&block, OPT_COMMENT, comment, strlen(comment));
	}
	put_u32(&block, 0);
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

/*
 * A frame has two comments: one for people, and one for the plugin in contrib/wireshark. One text contains
 * both comments, with FIELDS between them. If this text begins with GRAPH, the frame gets a third comment:
 * the call graph of the packet, for the plugin.
 */
#define FIELDS "\001"
#define GRAPH  "\002"

/*
 * Add the comment for the plugin. Insert the host and the request of the frame as the first fields, because
 * the request is known only after the whole recording was read.
 */
static void put_fields(struct pcapng *pcapng, struct block *block, const char *fields,
		       const struct frame *frame)
{
	static const char title[] = "record_skb: ";
	const struct device *device = devices_get(packets_devices(*pcapng->packets), frame->device);
	const struct request_time *time = request_times_find(pcapng->times, frame->flow, frame->ts);
	char host[ESCAPED_LEN(HOST_NAME_LEN)], request[128] = "";
	char *text, *p;

	if (strncmp(fields, title, strlen(title))) {
		put_option(block, OPT_COMMENT, fields, strlen(fields));
		return;
	}
	snprintf(host, sizeof(host), "%s",
		 hosts_count() ? hosts_name(hosts_of_netns(device->netns)) : "");
	/* Replace semicolons, because a semicolon ends a field. */
	for (p = host; (p = strchr(p, ';')); p++)
		*p = '_';
	if (time && time->packet)
		snprintf(request, sizeof(request), "request=%u; request_ns=%llu; request_part=%s; ",
			 time->packet, (unsigned long long)(time->ended - time->begun),
			 time->longest == REQUEST_PARTS ? "unknown" :
							  request_part_name(time->longest));
	if (asprintf(&text, "%s%s%s%s%s%s", title, *host ? "host=" : "", host, *host ? "; " : "",
		     request, fields + strlen(title)) < 0)
		return;
	put_option(block, OPT_COMMENT, text, strlen(text));
	free(text);
}

static void put_comments(struct pcapng *pcapng, struct block *block, const char *comment,
			 const struct frame *frame)
{
	const size_t len = strcspn(comment, FIELDS);

	put_option(block, OPT_COMMENT, comment, len);
	if (comment[len])
		put_fields(pcapng, block, comment + len + 1, frame);
}

/*
 * Add the task that sent the packet, from the field "pid" of the comment. The trace contains the PID of the
 * thread and not the PID of the process.
 */
static void put_task(struct block *block, const char *comment)
{
	static const char title[] = "; pid=";
	const char *fields = strstr(comment, FIELDS), *at = fields ? strstr(fields, title) : NULL;
	const uint32_t ids[] = { 0, at ? strtoul(at + strlen(title), NULL, 10) : 0 };

	if (ids[1])
		put_option(block, OPT_EPB_TASK, ids, sizeof(ids));
}

/*
 * Add the result of the BPF program that decided the fate of the packet, from the field "bpf" of the comment.
 */
static void put_verdict(struct block *block, const char *comment)
{
	static const char title[] = "; bpf=";
	const char *fields = strstr(comment, FIELDS), *at = fields ? strstr(fields, title) : NULL;
	/*
	 * The value of the option: one byte with the type of the verdict, and the verdict as a 64-bit number.
	 */
	uint8_t verdict[1 + sizeof(int64_t)];
	unsigned int type;
	int64_t number;
	int result;

	if (!at || sscanf(at + strlen(title), "%u:%d", &type, &result) != 2)
		return;
	number = result;
	verdict[0] = type;
	memcpy(verdict + 1, &number, sizeof(number));
	put_option(block, OPT_EPB_VERDICT, verdict, sizeof(verdict));
}

static void put_graph(struct pcapng *pcapng, struct block *block, uint32_t number)
{
	static const char title[] = "record_skb_graph:\n", cut[] = "(the rest is left out)\n";
	const struct text *text =
		table_find(&pcapng->texts, (struct table_key){ .number = number });
	char graph[GRAPH_MAX];
	size_t len;

	if (!text || !text->graph.text)
		return;
	len = snprintf(graph, sizeof(graph), "%s%s%s", title, text->graph.text,
		       text->graph.is_cut ? cut : "");
	if (len >= sizeof(graph)) {
		/* Cut the text after its last complete line. */
		graph[sizeof(graph) - sizeof(cut)] = '\0';
		strcpy(strrchr(graph, '\n') + 1, cut);
		len = strlen(graph);
	}
	put_option(block, OPT_COMMENT, graph, len);
}

static void write_frame(void *data, const struct frame *frame, const char *comment)
{
	struct pcapng *pcapng = data;
	uint64_t ts = frame->ts + pcapng->wall;
	int interface = interface_of(pcapng, frame->device);
	uint32_t flags = frame->dir == 1 ? 1 : frame->dir == 2 ? 2 : 0;
	uint64_t id = frame->number;
	const bool has_graph = *comment == *GRAPH;
	uint8_t header[COOKED_LEN];
	struct block block;

	if (interface < 0)
		return;
	begin_block(&block, BLOCK_PACKET);
	put_u32(&block, interface);
	put_u32(&block, ts >> 32);
	put_u32(&block, ts);
	put_u32(&block, frame->caplen + COOKED_LEN);
	put_u32(&block, frame->len + COOKED_LEN);
	cooked_header(header, frame->dir, frame->ethertype);
	put_bytes(&block, header, sizeof(header));
	put_padded(&block, frame->data, frame->caplen);
	put_comments(pcapng, &block, comment + has_graph, frame);
	if (has_graph)
		put_graph(pcapng, &block, frame->number);
	put_option(&block, OPT_EPB_FLAGS, &flags, sizeof(flags));
	put_option(&block, OPT_EPB_ID, &id, sizeof(id));
	put_task(&block, comment);
	put_verdict(&block, comment);
	put_u32(&block, 0);
	write_block(pcapng, &block);
}

struct pcapng *pcapng_new(const char *path, const char *recording, struct packets **packets,
			  struct captured_frames *frames, struct err *err)
{
	struct pcapng *pcapng = calloc(1, sizeof(*pcapng));

	if (!pcapng || !(pcapng->path = strdup(path))) {
		free(pcapng);
		err_set(err, "out of memory");
		return NULL;
	}
	pcapng->packets = packets;
	pcapng->frames = frames;
	pcapng->graphs = packet_graphs_new(NULL, "");
	if (!pcapng->graphs)
		err_set(err, "out of memory");
	else
		pcapng->out = output_file_open(path, recording, "--pcap", err);
	if (!pcapng->out) {
		packet_graphs_free(pcapng->graphs);
		free(pcapng->path);
		free(pcapng);
		return NULL;
	}
	write_section(pcapng);
	return pcapng;
}

void pcapng_set_models(struct pcapng *pcapng, struct stages *stages, struct request_times *times)
{
	pcapng->stages = stages;
	pcapng->times = times;
}

int pcapng_close(struct pcapng *pcapng, struct err *err)
{
	int ret = captured_frames_each(pcapng->frames, write_frame, pcapng, err);
	struct err failure;
	struct text *text;
	size_t i = 0;

	if (output_file_close(pcapng->out, pcapng->path, ret ? &failure : err))
		ret = -1;
	while ((text = table_next(&pcapng->texts, &i)))
		free(text->graph.text);
	table_free(&pcapng->texts);
	packet_graphs_free(pcapng->graphs);
	free(pcapng->interfaces);
	free(pcapng->path);
	free(pcapng);
	return ret;
}

/*
 * Format the result of the BPF program that decided the fate of a packet. put_verdict() reads this text: 1
 * for tc or 2 for XDP, and the result.
 */
static void format_verdict(char *buf, size_t size, const struct program_facts *program)
{
	*buf = '\0';
	if (program)
		snprintf(buf, size, "; bpf=%u:%d", program->type == PROGRAM_XDP ? 2 : 1,
			 program->result);
}

/*
 * Append the fields that the Lua plugin in contrib/wireshark parses. The drop reason comes last, because it
 * may contain any characters.
 */
static void append_fields(const struct pcapng *pcapng, char *comment, size_t size,
			  const struct packet *packet, const struct copy *copy, bool is_last)
{
	const struct outcome *outcome = &copy->outcome;
	const struct way *way = stages_way(pcapng->stages, packet->number);
	char task[ESCAPED_LEN(TASK_NAME_LEN + 1) + 32] = "", *p;
	char verdict[32];
	size_t len = strlen(comment);

	if (way && way->pid) {
		snprintf(task, sizeof(task), "; pid=%d; task=", hosts_pid_of_task(way->pid));
		p = task + strlen(task);
		escape_text(p, sizeof(task) - (p - task), way->comm);
		/* Replace semicolons, because a semicolon ends a field. */
		for (; (p = strchr(p, ';')); p++)
			*p = '_';
	}
	/*
	 * Use the program of the copy that decides the outcome. The program may have dropped this copy, so it
	 * may have no frame of its own.
	 */
	format_verdict(verdict, sizeof(verdict), is_last ? packet->decided->outcome.program : NULL);
	snprintf(
		comment + len, size - len,
		FIELDS
		"record_skb: packet=%u; copy=%u; flow=%u; last=%d; incomplete=%d; duration_ns=%llu; "
		"stack_ns=%llu; waiting_ns=%llu; calls=%llu%s%s; verdict=%s%s%.300s%s%s",
		packet->number, copy->number, packet->flow_number, is_last, packet->incomplete,
		(unsigned long long)(packet->last - packet->first),
		(unsigned long long)packet->stack_ns, (unsigned long long)packet->wait_ns,
		(unsigned long long)packet->calls, task, verdict,
		words_verdict_name(outcome->verdict), outcome->where ? "; function=" : "",
		outcome->where ? outcome->where->text : "", outcome->reason[0] ? "; reason=" : "",
		outcome->reason);
}

/*
 * Return: the copy that gets the call graph in its frame. This is the copy that decides the outcome, or, if
 * this copy has no frames, another copy with frames; NULL if no copy has frames.
 */
static const struct copy *copy_for_graph(const struct packet *packet)
{
	const struct copy *found = packet->decided;

	for (unsigned int i = 0; i < packet->nr_copies && !found->nr_frames; i++)
		found = packet->copies[i];
	return found->nr_frames ? found : NULL;
}

/*
 * Store the graph of a packet until the frame that gets the graph is written. Return: true if the packet has
 * a graph.
 */
static bool keep_graph(struct pcapng *pcapng, uint32_t number)
{
	struct packet_graph_text graph;
	struct text *text;

	if (!packet_graphs_take(pcapng->graphs, number, &graph))
		return false;
	text = table_add(&pcapng->texts, (struct table_key){ .number = number },
			 calloc(1, sizeof(*text)));
	if (text)
		text->graph = graph;
	else
		free(graph.text);
	return text;
}

static void remark_frames(void *data, const struct packet *packet)
{
	struct pcapng *pcapng = data;
	char remark[FRAME_COMMENT], *comment = remark + 1, number[NUMBER_LEN], outcome[VERDICT_LEN];
	const size_t size = sizeof(remark) - 1;
	const struct copy *with_graph = copy_for_graph(packet);

	if (!with_graph)
		packet_graphs_forget(pcapng->graphs, packet->number);
	else if (!keep_graph(pcapng, packet->number))
		with_graph = NULL;
	*remark = *GRAPH;
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];
		unsigned int others;
		size_t len;

		if (!copy->nr_frames)
			continue;

		others = copy->nr_frames - 1;
		snprintf(comment, size, "#%s %s%s", words_number(number, packet, copy),
			 words_outcome(outcome, &copy->outcome, packets_devices(*pcapng->packets)),
			 packet->incomplete ? " (rows lost)" : "");
		len = strlen(comment);
		append_fields(pcapng, comment, size, packet, copy, false);
		captured_frames_remark(pcapng->frames, copy->frames, others, comment);
		comment[len] = '\0';
		append_fields(pcapng, comment, size, packet, copy, true);
		captured_frames_remark(pcapng->frames, copy->frames + others,
				       copy->nr_frames - others,
				       copy == with_graph ? remark : comment);
	}
	stages_forget(pcapng->stages, packet->number);
}

static void forget_graph(void *data, const struct packet *packet)
{
	struct pcapng *pcapng = data;

	packet_graphs_forget(pcapng->graphs, packet->number);
	stages_forget(pcapng->stages, packet->number);
}

/* Use the first wall_clock event only, because the wall clock can be set during the recording. */
static void wall_clock(void *data, const struct moment *at, uint64_t real)
{
	struct pcapng *pcapng = data;

	if (!pcapng->knows_wall)
		pcapng->wall = real - at->ts;
	pcapng->knows_wall = true;
}

struct packet_graphs *pcapng_graphs(struct pcapng *pcapng)
{
	return pcapng->graphs;
}

const struct observer pcapng_observer = { .wall_clock = wall_clock };
const struct output pcapng_output = { .packet = remark_frames, .other = forget_graph };
