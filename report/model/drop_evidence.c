// SPDX-License-Identifier: GPL-2.0
/* drop_evidence.c - remember the last calls before a drop, for drops without a known cause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/call_causes.h"
#include "model/causes.h"
#include "model/drop_evidence.h"

/* Maximum number of open functions of a task. Deeper functions are ignored. */
#define MAX_FRAMES 64
/* Number of nested calls that are remembered for each open function. */
#define CALLS 2
/* Number of functions that are remembered for each task, at any depth. Must be a power of 2. */
#define RECENT 256

/* An open function. @called has the last functions that it has called, the newest first. */
struct open_call {
	int depth;
	unsigned int since; /* value of open_calls.entered when this function was entered */
	const struct name *name;
	const struct name *called[CALLS];
};

/* The open functions of a task, or of the softirq that has interrupted the task. */
struct open_calls {
	struct open_call open[MAX_FRAMES];
	unsigned int nr;
	const struct name *recent[RECENT]; /* the functions that were entered last */
	unsigned int entered;		   /* number of functions entered so far */
};

/* The description of a drop. Drops with equal descriptions share one object. */
struct words {
	char *text;
};

struct dropped {
	uint32_t number; /* number of the packet; 0 after the packet was forgotten */
	const char *text;
	const char *location; /* function and offset; NULL if the offset is not known */
	const char *source;   /* source line; NULL if it is not known */
	const struct cause *cause;
};

struct drop_evidence {
	struct table tasks;   /* table of struct open_calls, by task and softirq */
	struct table dropped; /* table of struct dropped, by packet and copy */
	struct table words;   /* table of struct words, by a hash of the text */
};

static bool has_no_frames(const void *thing)
{
	return !((const struct open_calls *)thing)->nr;
}

static bool is_forgotten(const void *thing)
{
	return !((const struct dropped *)thing)->number;
}

struct drop_evidence *drop_evidence_create(void)
{
	struct drop_evidence *evidence = calloc(1, sizeof(*evidence));

	if (evidence) {
		evidence->tasks.idle = has_no_frames;
		evidence->dropped.idle = is_forgotten;
	}
	return evidence;
}

void drop_evidence_free(struct drop_evidence *evidence)
{
	struct words *words;
	size_t i = 0;

	if (!evidence)
		return;
	while ((words = table_next(&evidence->words, &i)))
		free(words->text);
	table_free(&evidence->words);
	table_free(&evidence->dropped);
	table_free(&evidence->tasks);
	free(evidence);
}

static struct open_calls *frames_of(struct drop_evidence *evidence, const struct moment *at,
				    bool add)
{
	static const char softirq;
	const struct table_key key =
		table_task_key(at->pid, at->cpu, at->softirq ? &softirq : NULL);
	struct open_calls *frames = table_find(&evidence->tasks, key);

	if (!frames && add)
		frames = table_add(&evidence->tasks, key, calloc(1, sizeof(*frames)));
	return frames;
}

/* Return: true if the function only frees packets, and does not decide which packets to drop. */
static bool frees_packet(const char *function)
{
	return !strncmp(function, "kfree_skb", strlen("kfree_skb")) ||
	       !strcmp(function, "sk_skb_reason_drop") || !strcmp(function, "__kfree_skb");
}

static void close_frames(struct open_calls *frames, int depth)
{
	while (frames && frames->nr && frames->open[frames->nr - 1].depth >= depth)
		frames->nr--;
}

static void evidence_handle_entry(void *data, const struct moment *at,
				  const struct function *function)
{
	struct open_calls *frames = frames_of(data, at, true);
	struct open_call *caller;

	if (!frames)
		return;
	close_frames(frames, function->depth);
	caller = frames->nr ? &frames->open[frames->nr - 1] : NULL;
	if (caller && caller->depth == function->depth - 1 && !frees_packet(function->name->text)) {
		memmove(caller->called + 1, caller->called, (CALLS - 1) * sizeof(*caller->called));
		caller->called[0] = function->name;
	}
	frames->recent[frames->entered++ % RECENT] = function->name;
	if (frames->nr < MAX_FRAMES)
		frames->open[frames->nr++] = (struct open_call){
			.depth = function->depth,
			.since = frames->entered,
			.name = function->name,
		};
}

static void evidence_handle_exit(void *data, const struct moment *at,
				 const struct function *function)
{
	close_frames(frames_of(data, at, false), function->depth);
}

static void evidence_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct drop_evidence *evidence = data;
	struct open_calls *frames;
	size_t i = 0;

	(void)at;
	(void)from;
	(void)count;
	while ((frames = table_next(&evidence->tasks, &i)))
		frames->nr = 0;
}

/*
 * Return: a copy of the text in @words, which all drops with this text share; NULL if there is not enough
 * memory.
 */
static const char *share_words(struct drop_evidence *evidence, const char *text)
{
	struct table_key key = { .number = 0xcbf29ce484222325ull };
	struct words *words;

	for (const char *c = text; *c; c++)
		key.number = (key.number ^ (uint8_t)*c) * 0x100000001b3ull;
	for (; (words = table_find(&evidence->words, key)); key.number++) {
		if (!strcmp(words->text, text))
			return words->text;
	}
	words = calloc(1, sizeof(*words));
	if (words)
		words->text = strdup(text);
	if (words && !words->text) {
		free(words);
		words = NULL;
	}
	words = table_add(&evidence->words, key, words);
	return words ? words->text : NULL;
}

/*
 * Return: the open function @place, which drops the packet. If @place is not in the call graph, for example
 * because the compiler inlined it, return the innermost open function; NULL if no function is open.
 */
static const struct open_call *frame_of(const struct open_calls *frames, const struct name *place)
{
	const struct open_call *inner = NULL;

	for (unsigned int i = frames->nr; place && i; i--) {
		const struct open_call *open = &frames->open[i - 1];

		if (!strcmp(open->name->text, place->text))
			return open;
		if (!inner && !frees_packet(open->name->text) && !open->name->gate)
			inner = open;
	}
	return inner;
}

/*
 * Some functions drop packets for their caller, and only the caller knows the cause. Return: the open
 * function that called @frame, if @frame is such a function; otherwise NULL. On x86, the compiler ends such a
 * function with a jump to the function that frees the packet. The drop then seems to be in the caller.
 */
static const struct open_call *caller_that_drops(const struct open_calls *frames,
						 const struct open_call *frame)
{
	static const char *const helpers[] = { "br_flood", "br_forward",
					       "icmpv6_param_prob_reason" };

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		if (strcmp(frame->name->text, helpers[i]))
			continue;
		while (frame != frames->open) {
			frame--;
			if (!frame->name->gate)
				return frame;
		}
	}
	return NULL;
}

/* The argument of was_called(): the open function in which to search for a call. */
struct calls {
	const struct open_calls *frames;
	const struct open_call *frame;
};

static bool was_called(const void *data, const char *name)
{
	const struct calls *calls = data;
	const struct open_calls *frames = calls->frames;

	for (unsigned int i = frames->entered; i != calls->frame->since; i--) {
		if (frames->entered - i >= RECENT)
			return false;
		if (!strcmp(frames->recent[(i - 1) % RECENT]->text, name))
			return true;
	}
	return false;
}

/*
 * Describe the calls of @frame before @place dropped the packet. @frame is NULL if the calls are not known.
 * @location is empty if the offset of the drop in @place is not known. @source is NULL if the source line is
 * not known. @buf has WORDS_LEN bytes.
 */
#define WORDS_LEN 800
static void words_calls(char *buf, const struct open_call *frame, const char *place,
			const char *location, const char *source)
{
	static const char begin[] = "the cause is not known; evidence: ";
	char in[160 + SOURCE_LINE_LEN] = "";

	if (*location)
		snprintf(in, sizeof(in), " at %s%s%s%s", location, source ? " (" : "",
			 source ? source : "", source ? ")" : "");
	else if (strcmp(frame->name->text, place))
		snprintf(in, sizeof(in), " in %.100s", place);
	if (!frame)
		snprintf(buf, WORDS_LEN, "%sdropped%s", begin, in);
	else if (!frame->called[0])
		snprintf(
			buf, WORDS_LEN,
			"%s%.100s was entered, and called nothing that is recorded before the drop%s",
			begin, frame->name->text, in);
	else if (!frame->called[1])
		snprintf(buf, WORDS_LEN, "%sbefore the drop%s, %.100s called %.100s", begin, in,
			 frame->name->text, frame->called[0]->text);
	else
		snprintf(buf, WORDS_LEN,
			 "%sbefore the drop%s, %.100s called %.100s, and then %.100s", begin, in,
			 frame->name->text, frame->called[1]->text, frame->called[0]->text);
}

static struct table_key copy_key(uint32_t packet, uint32_t copy)
{
	return (struct table_key){ .number = (uint64_t)packet << 32 | copy };
}

static void evidence_handle_drop(void *data, const struct moment *at,
				 const struct packet_dropped *packet)
{
	struct drop_evidence *evidence = data;
	const uint32_t number = packet->event->pkt;
	const uint32_t copy = packet->event->copy == RECORD_SKB_COPY_UNKNOWN ? 0 :
									       packet->event->copy;
	const struct open_calls *frames = frames_of(evidence, at, false);
	const struct open_call *frame = frames ? frame_of(frames, packet->place) : NULL;
	const char *func = packet->place ? packet->place->text : NULL;
	const struct open_call *caller =
		frame && !strcmp(frame->name->text, func) ? caller_that_drops(frames, frame) : NULL;
	const struct calls calls = { frames, caller ? caller : frame };
	const char *decider = caller ? caller->name->text : func;
	const struct cause *cause;
	struct dropped *dropped;
	char text[WORDS_LEN], location[128] = "", line[SOURCE_LINE_LEN];
	const char *source = NULL;
	const bool is_located = func && packet->offset;

	if ((!frame && !is_located) || table_find(&evidence->dropped, copy_key(number, copy)))
		return;
	cause = frame ? cause_of_calls(packet->facts.why, decider, was_called, &calls) : NULL;
	if (!cause && caller && cause_is_known(packet->facts.why, decider))
		cause = cause_of_drop(packet->facts.why, decider);
	if (!cause && cause_is_known(packet->facts.why, func))
		return;
	if (is_located) {
		snprintf(location, sizeof(location), "%.100s+0x%x", func, packet->offset);
		/* The user needs the source line only if the calls do not show the cause. */
		source = cause ? NULL : packet_dropped_line(packet, line);
	}
	words_calls(text, frame, func, location, source);
	dropped =
		table_add(&evidence->dropped, copy_key(number, copy), calloc(1, sizeof(*dropped)));
	if (dropped) {
		dropped->number = number;
		dropped->text = share_words(evidence, text);
		dropped->location = is_located ? share_words(evidence, location) : NULL;
		dropped->source = source ? share_words(evidence, source) : NULL;
		dropped->cause = cause;
	}
}

const struct observer drop_evidence_observer = {
	.entered = evidence_handle_entry,
	.left = evidence_handle_exit,
	.abandoned = evidence_handle_exit,
	.dropped = evidence_handle_drop,
	.lost = evidence_handle_loss,
};

const char *drop_evidence_words(const struct drop_evidence *evidence, uint32_t packet,
				uint32_t copy)
{
	const struct dropped *dropped = table_find(&evidence->dropped, copy_key(packet, copy));

	return dropped && dropped->number ? dropped->text : NULL;
}

const char *drop_evidence_location(const struct drop_evidence *evidence, uint32_t packet,
				   uint32_t copy)
{
	const struct dropped *dropped = table_find(&evidence->dropped, copy_key(packet, copy));

	return dropped && dropped->number ? dropped->location : NULL;
}

const char *drop_evidence_source(const struct drop_evidence *evidence, uint32_t packet,
				 uint32_t copy)
{
	const struct dropped *dropped = table_find(&evidence->dropped, copy_key(packet, copy));

	return dropped && dropped->number ? dropped->source : NULL;
}

const struct cause *drop_evidence_cause(const struct drop_evidence *evidence, uint32_t packet,
					uint32_t copy)
{
	const struct dropped *dropped = table_find(&evidence->dropped, copy_key(packet, copy));

	return dropped && dropped->number ? dropped->cause : NULL;
}

void drop_evidence_forget(struct drop_evidence *evidence, const struct packet *packet)
{
	struct dropped *dropped;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		dropped = table_find(&evidence->dropped,
				     copy_key(packet->number, packet->copies[i]->number));
		if (dropped)
			dropped->number = 0;
	}
}
