// SPDX-License-Identifier: GPL-2.0
/* bytes.c - print when the data of each write was sent, received and read, and by which calls */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "model/packet_text.h"
#include "output/bytes.h"
#include "output/json_line.h"

#define PARTS_LEN   512
#define CALLER_LEN  (96 + ON_HOST_LEN)
#define NUMBERS_LEN 64

struct bytes {
	struct bytes_options options;
	struct names *names;
	uint32_t shown_stream; /* the stream of the row that was printed last */
	uint64_t unknown;      /* number of bytes with an unknown write or read */
	bool expects_packets;  /* the recording certainly has all packets of a flow */
};

struct bytes *bytes_new(const struct bytes_options *options, struct names *names)
{
	struct bytes *bytes = calloc(1, sizeof(*bytes));

	if (!bytes)
		return NULL;
	bytes->options = *options;
	bytes->names = names;
	return bytes;
}

void bytes_free(struct bytes *bytes)
{
	free(bytes);
}

void bytes_expect_packets(struct bytes *bytes)
{
	bytes->expects_packets = true;
}

static const char *function_text(const struct bytes *bytes, uint64_t address)
{
	const struct name *name = address ? names_of(bytes->names, address) : NULL;

	return name ? name->text : "?";
}

/* Format the task and the function of a call: "nc-812 __sys_sendto()". */
static const char *caller_text(char *buf, const struct bytes *bytes, const struct byte_call *call)
{
	char comm[ESCAPED_LEN(TASK_NAME_LEN + 1)], host[ON_HOST_LEN];

	if (call)
		snprintf(buf, CALLER_LEN, "%s-%d%s %s()",
			 escape_text(comm, sizeof(comm), call->comm), hosts_pid_of_task(call->pid),
			 words_on_host(host, call->pid), function_text(bytes, call->outer));
	else
		snprintf(buf, CALLER_LEN, "unknown");
	return buf;
}

/*
 * Return: the duration up to the time @until, from the last known time before it; 0 if one of the two times
 * is not known.
 */
static uint64_t part_of(const struct byte_piece *piece, enum byte_time until)
{
	enum byte_time since = until;

	if (!piece->times[until])
		return 0;
	while (since > BYTE_WRITTEN && !piece->times[--since])
		;
	return piece->times[since] ? piece->times[until] - piece->times[since] : 0;
}

static uint64_t total_of(const struct byte_piece *piece)
{
	uint64_t first = 0, last = 0;

	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (piece->times[time] && !first)
			first = piece->times[time];
		if (piece->times[time])
			last = piece->times[time];
	}
	return last - first;
}

/*
 * Format the parts of the total time, without parts of less than a percent. If the time between
 * consecutive parts is not known, show these parts as one part with all of their names.
 */
static const char *parts_text(char *buf, const struct byte_piece *piece)
{
	const uint64_t total = total_of(piece);
	char ns[DURATION_LEN];
	size_t len = 0;

	buf[0] = '\0';
	for (enum byte_time time = BYTE_SENT; time < BYTE_TIMES; time++) {
		const uint64_t part = part_of(piece, time);

		if (!part || part * 100 < total)
			continue;
		len += snprintf(buf + len, PARTS_LEN - len, "%s", len ? ", " : "");
		for (enum byte_time since = time; since > BYTE_SENT && !piece->times[since - 1];
		     since--)
			len += snprintf(buf + len, PARTS_LEN - len, "%s + ",
					byte_part_name(since - 1));
		len += snprintf(buf + len, PARTS_LEN - len, "%s %s", byte_part_name(time),
				words_duration(ns, part));
	}
	return buf;
}

/*
 * Format where the bytes got to: the call that read them, or the place where they were at the end of the
 * recording.
 */
static const char *reader_text(char *buf, const struct bytes *bytes, const struct byte_piece *piece)
{
	if (piece->read || !piece->ended)
		return caller_text(buf, bytes, piece->read);
	if (piece->times[BYTE_ARRIVED])
		return "no recorded read";
	if (piece->times[BYTE_RECEIVED])
		return "received, socket not known";
	if (piece->packet)
		return "sent, arrival not recorded";
	return bytes->expects_packets && !piece->is_unsure ? "not sent until the end" : "unknown";
}

static const char *packet_text(char *buf, const struct byte_piece *piece)
{
	if (!piece->packet)
		snprintf(buf, NUMBERS_LEN, "-");
	else if (piece->copy)
		snprintf(buf, NUMBERS_LEN, "%u.%u%s", piece->packet, piece->copy,
			 piece->resent ? " again" : "");
	else
		snprintf(buf, NUMBERS_LEN, "%u%s", piece->packet, piece->resent ? " again" : "");
	return buf;
}

static void print_row(struct bytes *bytes, const struct byte_stream *stream,
		      const struct byte_piece *piece)
{
	char time[TIME_LEN], total[DURATION_LEN], writer[CALLER_LEN], reader[CALLER_LEN];
	char range[NUMBERS_LEN], packet[NUMBERS_LEN], parts[PARTS_LEN], flow[FLOW_TEXT_LEN];
	uint64_t start = piece->times[BYTE_WRITTEN];

	for (enum byte_time at = BYTE_SENT; at < BYTE_TIMES && !start; at++)
		start = piece->times[at];
	if (bytes->shown_stream != stream->number) {
		printf("%sflow %u: %s%s\n", bytes->shown_stream ? "\n" : "", stream->flow_number,
		       words_flow(flow, &stream->flow),
		       stream->has_tls ? ", data in TLS records" : "");
		printf("%21s  %14s  %-28s %9s  %-28s %8s  %s\n", "BYTES", "TIME", "WRITTEN BY",
		       "TOTAL", "READ BY", "PACKET", "TIME IN EACH PART");
	}
	bytes->shown_stream = stream->number;
	snprintf(range, sizeof(range), "%s%lld-%lld",
		 stream->begins && !stream->is_unsure ? "" : "?+",
		 (long long)(piece->from - stream->base),
		 (long long)(piece->to - stream->base - 1));
	printf("%21s  %14s  %-28s %9s  %-28s %8s  %s", range, start ? words_time(time, start) : "?",
	       caller_text(writer, bytes, piece->write), words_duration(total, total_of(piece)),
	       reader_text(reader, bytes, piece), packet_text(packet, piece),
	       parts_text(parts, piece));
	if (piece->filler)
		printf(" (until #%u came)", piece->filler);
	if (piece->peeks)
		printf(" (peeked at %u time%s)", piece->peeks, piece->peeks == 1 ? "" : "s");
	putchar('\n');
}

static void add_call(const struct bytes *bytes, struct json_object *to, const char *name,
		     const struct byte_stream *stream, const struct byte_call *call)
{
	struct json_object *object;

	if (!call)
		return;
	object = json_object_new_object();
	json_add(object, "from", json_object_new_int64(call->from - stream->base));
	json_add(object, "to", json_object_new_int64(call->to - stream->base));
	json_add_number(object, "pid", hosts_pid_of_task(call->pid));
	if (hosts_count())
		json_add_text(object, "host", hosts_name(hosts_of_task(call->pid)));
	json_add_text(object, "task", call->comm);
	json_add_text(object, "call", function_text(bytes, call->outer));
	json_add_text(object, "function", function_text(bytes, call->func));
	json_add_time(object, "begun", call->begun);
	json_add_time(object, "ended", call->ended);
	json_add(to, name, object);
}

static void print_json(struct bytes *bytes, const struct byte_stream *stream,
		       const struct byte_piece *piece)
{
	static const char *const names[BYTE_TIMES] = {
		"written",  "sent",    "resent",   "queued", "driven",
		"received", "arrived", "in_order", "called", "read",
	};
	struct json_object *object = json_new_object("bytes"), *times = json_object_new_object();
	char flow[FLOW_TEXT_LEN];

	json_add_number(object, "stream", stream->number);
	json_add_number(object, "flow_number", stream->flow_number);
	json_add_text(object, "flow", words_flow(flow, &stream->flow));
	json_add(object, "begins", json_object_new_boolean(stream->begins && !stream->is_unsure));
	if (stream->has_datagrams)
		json_add(object, "datagram", json_object_new_boolean(true));
	if (stream->has_tls)
		json_add(object, "tls", json_object_new_boolean(true));
	json_add(object, "from", json_object_new_int64(piece->from - stream->base));
	json_add(object, "to", json_object_new_int64(piece->to - stream->base));
	add_call(bytes, object, "write", stream, piece->write);
	add_call(bytes, object, "read", stream, piece->read);
	if (piece->packet) {
		json_add_number(object, "packet", piece->packet);
		json_add_number(object, "copy", piece->copy);
	}
	if (piece->filler)
		json_add_number(object, "filled_by", piece->filler);
	json_add(object, "resent", json_object_new_boolean(piece->resent));
	json_add_number(object, "peeks", piece->peeks);
	json_add(object, "unread", json_object_new_boolean(piece->ended));
	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (piece->times[time])
			json_add_named_time(times, names[time], piece->times[time]);
	}
	json_add(object, "times", times);
	json_print_object(object);
}

void bytes_print_piece(void *data, const struct byte_stream *stream, const struct byte_piece *piece)
{
	struct bytes *bytes = data;

	if (piece->is_unknown)
		return;
	if (bytes->options.flow && stream->flow_number != bytes->options.flow)
		return;
	if (!piece->write || (!piece->read && !piece->ended))
		bytes->unknown += piece->to - piece->from;
	if (bytes->options.json)
		print_json(bytes, stream, piece);
	else
		print_row(bytes, stream, piece);
}

uint64_t bytes_end(struct bytes *bytes)
{
	if (bytes->unknown && !bytes->options.json)
		printf("unknown: the recording does not show who wrote or read %llu bytes\n",
		       (unsigned long long)bytes->unknown);
	return bytes->unknown;
}
