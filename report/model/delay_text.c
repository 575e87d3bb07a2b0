// SPDX-License-Identifier: GPL-2.0
/* delay_text.c - describe delays in words */
#include <stdio.h>

#include "escape.h"
#include "model/packet_delays.h"
#include "model/packet_text.h"

const char *delay_name(enum delay_kind kind)
{
	static const char *const names[DELAYS] = {
		[DELAY_QUEUE] = "in a device's queue",
		[DELAY_NEIGHBOUR] = "neighbour asked for",
		[DELAY_BACKLOG] = "in a CPU's backlog",
		[DELAY_FRAGMENTS] = "for other fragments",
		[DELAY_OTHER_QUEUE] = "in another queue",
		[DELAY_BETWEEN] = "between functions",
		[DELAY_SEND_BUFFER] = "call waited for room",
		[DELAY_WINDOW] = "for the other end's window",
		[DELAY_NAGLE] = "small, held back (Nagle)",
		[DELAY_CONGESTION] = "for the congestion window",
		[DELAY_CORKED] = "held back (cork)",
		[DELAY_PACED] = "held back (pacing)",
		[DELAY_HELD] = "in the sending socket",
		[DELAY_UNREAD] = "queued -> read",
		[DELAY_AWAITED] = "queued -> read, awaited",
		[DELAY_READER_ASLEEP] = "queued -> read: asleep",
		[DELAY_READER_NO_CPU] = "queued -> read: no CPU",
		[DELAY_CALL_ASLEEP] = "call: asleep",
		[DELAY_CALL_NO_CPU] = "call: no CPU",
		[DELAY_ANSWER] = "read -> answer sent",
		[DELAY_ANSWER_UNREAD] = "delivered -> answer sent",
		[DELAY_REQUEST] = "answer -> next request",
		[DELAY_EITHER] = "delivered -> sent back",
		[DELAY_AWAY] = "sent -> answer came in",
		[DELAY_ACK] = "sent -> acknowledged",
		[DELAY_RESENT] = "sent -> sent again",
		[DELAY_WORK] = "in one function",
	};

	return names[kind];
}

/* Describe a delay in the sending socket or the sending call. */
static void describe_unsent(char *buf, size_t len, const struct delay *delay)
{
	static const char *const why[DELAYS] = {
		[DELAY_CALL] =
			"the call that sends it had begun: it worked, or waited for room in the socket or "
			"for a CPU",
		[DELAY_SEND_BUFFER] =
			"the call that sends it waited for room in the socket's send buffer",
		[DELAY_WINDOW] =
			"its data waited in the socket: the other end had no room (its window)",
		[DELAY_NAGLE] =
			"its data, a small segment, waited in the socket for the acknowledgement of "
			"earlier data (Nagle, unless the congestion window was full)",
		[DELAY_CONGESTION] =
			"its data waited in the socket for the acknowledgement of earlier data "
			"(congestion window)",
		[DELAY_CORKED] = "its data was held back in the socket (cork, MSG_MORE)",
		[DELAY_PACED] =
			"its data was held back in the socket (pacing, or the device's queue)",
		[DELAY_HELD] =
			"its data waited in the socket (cork, MSG_MORE, pacing, Nagle, the congestion "
			"window, or the device's queue)",
	};

	if (delay->by)
		snprintf(buf, len, "%s, until #%u came", why[delay->kind], delay->by);
	else
		snprintf(buf, len, "%s", why[delay->kind]);
}

/* Return: true if @ns is more than half of the delay. */
static bool is_mostly(const struct delay *delay, uint64_t ns)
{
	return ns * 2 > delay->ns;
}

/*
 * Describe the time in which a task waited for a CPU, as in "waited 79.9 ms for a CPU, which steps-412 had".
 */
static const char *no_cpu(char *buf, size_t len, const struct waited *waited)
{
	char ns[DURATION_LEN];
	char name[ESCAPED_LEN(TASK_NAME_LEN)];
	int n = snprintf(buf, len, "waited %s for a CPU", words_duration(ns, waited->no_cpu));

	if (waited->by)
		snprintf(buf + n, len - n, ", which %s-%d had",
			 escape_text(name, sizeof(name), waited->by_name), waited->by);
	return buf;
}

static bool had_no_cpu(char *buf, size_t len, const struct delay *delay)
{
	char waited[DELAY_LEN / 2];

	no_cpu(waited, sizeof(waited), &delay->waited);
	switch (delay->kind) {
	case DELAY_WORK:
		snprintf(buf, len, "%s took it, and %s", delay->after->text, waited);
		return true;
	case DELAY_BETWEEN:
		snprintf(buf, len, "between %s and %s; the task that went on %s",
			 delay->after->text, delay->before->text, waited);
		return true;
	case DELAY_UNREAD:
	case DELAY_AWAITED:
		snprintf(buf, len, "it was in the socket's queue; its reader %s", waited);
		return true;
	case DELAY_CALL:
	case DELAY_CALL_NO_CPU:
		snprintf(buf, len, "the call that sends it had begun, and %s", waited);
		return true;
	default:
		return false;
	}
}

/*
 * Describe what the task waited for. Return: false if the task did not wait for most of the delay, or if that
 * is not known.
 */
static bool describe_wait(char *buf, size_t len, const struct delay *delay)
{
	if (is_mostly(delay, delay->waited.no_cpu))
		return had_no_cpu(buf, len, delay);
	if (!is_mostly(delay, delay->waited.asleep))
		return false;
	if (delay->kind == DELAY_AWAITED)
		snprintf(
			buf, len,
			"it was in the socket's queue; its reader was in the call for it, and slept: it "
			"wanted more (SO_RCVLOWAT), or something else");
	else if (delay->kind == DELAY_CALL)
		snprintf(buf, len,
			 "the call that sends it had begun, and slept: for room in the socket, or "
			 "something else");
	else
		return false;
	return true;
}

static void one_packets(char *buf, size_t len, const struct delay *delay, const char *device)
{
	switch (delay->kind) {
	case DELAY_QUEUE:
		snprintf(buf, len, "it was in the queue of %s (qdisc)", device);
		break;
	case DELAY_NEIGHBOUR:
		snprintf(buf, len, "it waited on %s for its neighbour's link-layer address",
			 device);
		break;
	case DELAY_BACKLOG:
		snprintf(buf, len, "it was in a CPU's backlog, which had not been worked off");
		break;
	case DELAY_FRAGMENTS:
		snprintf(buf, len, "it waited for the other fragments of its packet");
		break;
	case DELAY_OTHER_QUEUE:
		snprintf(buf, len, "it was in the queue that %s had put it into",
			 delay->after->text);
		break;
	case DELAY_CALL:
	case DELAY_SEND_BUFFER:
	case DELAY_WINDOW:
	case DELAY_NAGLE:
	case DELAY_CONGESTION:
	case DELAY_CORKED:
	case DELAY_PACED:
	case DELAY_HELD:
		describe_unsent(buf, len, delay);
		break;
	case DELAY_WORK:
		snprintf(buf, len, "%s took it by itself: it worked for it, or was interrupted",
			 delay->after->text);
		break;
	case DELAY_AWAITED:
		snprintf(
			buf, len,
			"it was in the socket's queue; its reader was in the call for it, and had no CPU "
			"or wanted more (SO_RCVLOWAT)");
		break;
	case DELAY_UNREAD:
		snprintf(buf, len, "it was in the socket's queue, and no program had read it");
		break;
	default:
		snprintf(buf, len, "between %s and %s", delay->after ? delay->after->text : "?",
			 delay->before ? delay->before->text : "?");
		break;
	}
}

const char *words_own_delay(char *buf, const struct delay *delay, const struct devices *devices)
{
	const struct device *device = devices_get(devices, delay->device);

	if (delay->is_partly_read)
		snprintf(buf, DELAY_LEN,
			 "it was in the socket's queue, and programs had not read all of it");
	else if (!describe_wait(buf, DELAY_LEN, delay))
		one_packets(buf, DELAY_LEN, delay, device ? device->text : "a device");
	return buf;
}

const char *words_delay(char *buf, const struct delay *delay, const struct devices *devices)
{
	static const char *const pairs[DELAYS] = {
		[DELAY_ANSWER] = "the application had the client's data and had sent nothing",
		[DELAY_ANSWER_UNREAD] = "the socket had the client's data, and no data was sent",
		[DELAY_REQUEST] = "the application had the server's data and had sent nothing",
		[DELAY_EITHER] = "between a received packet and the next sent packet",
		[DELAY_AWAY] = "the network or the other end had the data, and no data had come in",
		[DELAY_ACK] = "it was not acknowledged",
		[DELAY_RESENT] = "it was not acknowledged, and was sent again",
	};
	char text[DELAY_LEN];

	if (delay->kind == DELAY_RESENT && delay->after) {
		snprintf(buf, DELAY_LEN, "#%u -> #%u: it was dropped in %s, and sent again",
			 delay->number, delay->next, delay->after->text);
		return buf;
	}
	if (delay->next) {
		snprintf(buf, DELAY_LEN, "#%u -> #%u: %s", delay->number, delay->next,
			 pairs[delay->kind]);
		return buf;
	}
	snprintf(buf, DELAY_LEN, "#%u: %.*s", delay->number, DELAY_LEN - 32,
		 words_own_delay(text, delay, devices));
	return buf;
}
