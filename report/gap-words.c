// SPDX-License-Identifier: GPL-2.0
/* gap-words.c - a gap in words */
#include <stdio.h>

#include "gap.h"
#include "words.h"

const char *gap_name(enum gap_kind kind)
{
	static const char *const names[GAPS] = {
		[GAP_QUEUE] = "in a device's queue",
		[GAP_NEIGHBOUR] = "neighbour asked for",
		[GAP_BACKLOG] = "in a CPU's backlog",
		[GAP_FRAGMENTS] = "for other fragments",
		[GAP_OTHER_QUEUE] = "in another queue",
		[GAP_BETWEEN] = "between functions",
		[GAP_ROOM] = "call waited for room",
		[GAP_WINDOW] = "for the other end's window",
		[GAP_NAGLE] = "small, held back (Nagle)",
		[GAP_CONGESTION] = "for the congestion window",
		[GAP_CORKED] = "held back (cork)",
		[GAP_PACED] = "held back (pacing)",
		[GAP_HELD] = "in the sending socket",
		[GAP_UNREAD] = "queued -> read",
		[GAP_AWAITED] = "queued -> read, awaited",
		[GAP_READER_ASLEEP] = "queued -> read: asleep",
		[GAP_READER_NO_CPU] = "queued -> read: no CPU",
		[GAP_CALL_ASLEEP] = "call: asleep",
		[GAP_CALL_NO_CPU] = "call: no CPU",
		[GAP_ANSWER] = "read -> answer sent",
		[GAP_ANSWER_UNREAD] = "delivered -> answer sent",
		[GAP_REQUEST] = "answer -> next request",
		[GAP_EITHER] = "delivered -> sent back",
		[GAP_AWAY] = "sent -> answer came in",
		[GAP_ACK] = "sent -> acknowledged",
		[GAP_RESENT] = "sent -> sent again",
		[GAP_WORK] = "in one function",
	};

	return names[kind];
}

/* In the socket that sends, or in the call. */
static void unsent(char *buf, size_t len, const struct gap *gap)
{
	static const char *const why[GAPS] = {
		[GAP_CALL] =
			"the call that sends it had begun: it worked, or waited for room in the socket or "
			"for a CPU",
		[GAP_ROOM] = "the call that sends it waited for room in the socket's send buffer",
		[GAP_WINDOW] =
			"its data waited in the socket: the other end had no room (its window)",
		[GAP_NAGLE] =
			"its data, small, waited in the socket for the acknowledgement of what was sent "
			"before (Nagle, unless the congestion window was full)",
		[GAP_CONGESTION] =
			"its data waited in the socket for the acknowledgement of what was sent before "
			"(congestion window)",
		[GAP_CORKED] = "its data was held back in the socket (cork, MSG_MORE)",
		[GAP_PACED] =
			"its data was held back in the socket (pacing, or the device's queue)",
		[GAP_HELD] =
			"its data waited in the socket (cork, MSG_MORE, pacing, Nagle, or the device's "
			"queue)",
	};

	if (gap->by)
		snprintf(buf, len, "%s, until #%u came", why[gap->kind], gap->by);
	else
		snprintf(buf, len, "%s", why[gap->kind]);
}

/* Whether a gap was mostly this. */
static bool is_mostly(const struct gap *gap, uint64_t ns)
{
	return ns * 2 > gap->ns;
}

/* "waited 79.9 ms for a CPU, which steps-412 had" */
static const char *no_cpu(char *buf, size_t len, const struct waited *waited)
{
	char ns[DURATION_LEN];
	int n = snprintf(buf, len, "waited %s for a CPU", words_duration(ns, waited->no_cpu));

	if (waited->by)
		snprintf(buf + n, len - n, ", which %s-%d had", waited->by_name, waited->by);
	return buf;
}

static bool had_no_cpu(char *buf, size_t len, const struct gap *gap)
{
	char waited[GAP_LEN / 2];

	no_cpu(waited, sizeof(waited), &gap->waited);
	switch (gap->kind) {
	case GAP_WORK:
		snprintf(buf, len, "%s took it, and %s", gap->after->text, waited);
		return true;
	case GAP_BETWEEN:
		snprintf(buf, len, "between %s and %s; the task that went on %s", gap->after->text,
			 gap->before->text, waited);
		return true;
	case GAP_UNREAD:
	case GAP_AWAITED:
		snprintf(buf, len, "it was in the socket's queue; its reader %s", waited);
		return true;
	case GAP_CALL:
	case GAP_CALL_NO_CPU:
		snprintf(buf, len, "the call that sends it had begun, and %s", waited);
		return true;
	default:
		return false;
	}
}

/* What its task did instead of working; false if it worked, or nothing is known. */
static bool waited(char *buf, size_t len, const struct gap *gap)
{
	if (is_mostly(gap, gap->waited.no_cpu))
		return had_no_cpu(buf, len, gap);
	if (!is_mostly(gap, gap->waited.asleep))
		return false;
	if (gap->kind == GAP_AWAITED)
		snprintf(
			buf, len,
			"it was in the socket's queue; its reader was in the call for it, and slept: it "
			"wanted more (SO_RCVLOWAT), or something else");
	else if (gap->kind == GAP_CALL)
		snprintf(buf, len,
			 "the call that sends it had begun, and slept: for room in the socket, or "
			 "something else");
	else
		return false;
	return true;
}

static void one_packets(char *buf, size_t len, const struct gap *gap, const char *device)
{
	switch (gap->kind) {
	case GAP_QUEUE:
		snprintf(buf, len, "it was in the queue of %s (qdisc)", device);
		break;
	case GAP_NEIGHBOUR:
		snprintf(buf, len, "it waited on %s for its neighbour's link-layer address",
			 device);
		break;
	case GAP_BACKLOG:
		snprintf(buf, len, "it was in a CPU's backlog, which had not been worked off");
		break;
	case GAP_FRAGMENTS:
		snprintf(buf, len, "it waited for the other fragments of its packet");
		break;
	case GAP_OTHER_QUEUE:
		snprintf(buf, len, "it was in the queue that %s had put it into", gap->after->text);
		break;
	case GAP_CALL:
	case GAP_ROOM:
	case GAP_WINDOW:
	case GAP_NAGLE:
	case GAP_CONGESTION:
	case GAP_CORKED:
	case GAP_PACED:
	case GAP_HELD:
		unsent(buf, len, gap);
		break;
	case GAP_WORK:
		snprintf(buf, len, "%s took it by itself: it worked for it, or was interrupted",
			 gap->after->text);
		break;
	case GAP_AWAITED:
		snprintf(
			buf, len,
			"it was in the socket's queue; its reader was in the call for it, and had no CPU "
			"or wanted more (SO_RCVLOWAT)");
		break;
	case GAP_UNREAD:
		snprintf(buf, len, "it was in the socket's queue, and nobody had taken it out");
		break;
	default:
		snprintf(buf, len, "between %s and %s", gap->after ? gap->after->text : "?",
			 gap->before ? gap->before->text : "?");
		break;
	}
}

const char *words_own_gap(char *buf, const struct gap *gap, const struct devices *devices)
{
	const struct device *device = devices_get(devices, gap->device);

	if (!waited(buf, GAP_LEN, gap))
		one_packets(buf, GAP_LEN, gap, device ? device->name : "a device");
	return buf;
}

const char *words_gap(char *buf, const struct gap *gap, const struct devices *devices)
{
	static const char *const pairs[GAPS] = {
		[GAP_ANSWER] = "the application had the request and had not answered",
		[GAP_ANSWER_UNREAD] = "the socket had the request, and no answer was sent",
		[GAP_REQUEST] = "the application had the answer and had not asked again",
		[GAP_EITHER] = "between what the socket got and what was sent back",
		[GAP_AWAY] =
			"the network or the other end had the request, and no answer had come in",
		[GAP_ACK] = "it was not acknowledged",
		[GAP_RESENT] = "it was not acknowledged, and was sent again",
	};
	char text[GAP_LEN];

	if (gap->kind == GAP_RESENT && gap->after) {
		snprintf(buf, GAP_LEN, "#%u -> #%u: it was dropped in %s, and sent again",
			 gap->number, gap->next, gap->after->text);
		return buf;
	}
	if (gap->next) {
		snprintf(buf, GAP_LEN, "#%u -> #%u: %s", gap->number, gap->next, pairs[gap->kind]);
		return buf;
	}
	snprintf(buf, GAP_LEN, "#%u: %.*s", gap->number, GAP_LEN - 32,
		 words_own_gap(text, gap, devices));
	return buf;
}
