// SPDX-License-Identifier: GPL-2.0
/* stream_calls.c - find the bytes of a TCP stream that each socket call wrote or read */
#include <stdio.h>
#include <stdlib.h>

#include "model/stream_calls.h"

/* A call that has not returned. */
struct open_call {
	bool is_open, writes;
	uint64_t begun, outer;
	struct skb_event event;
	struct stream *stream; /* the stream that is written, NULL if not known */
};

/* The outermost call of a task. */
struct task_call {
	bool is_open;
	uint64_t begun, func;
};

static bool has_returned(const void *thing)
{
	return !((const struct open_call *)thing)->is_open;
}

static bool is_in_no_call(const void *thing)
{
	return !((const struct task_call *)thing)->is_open;
}

void stream_calls_init(struct stream_calls *calls, struct stream_set *set)
{
	*calls = (struct stream_calls){ .set = set };
	calls->calls.idle = has_returned;
	calls->tasks.idle = is_in_no_call;
}

void stream_calls_free(struct stream_calls *calls)
{
	table_free(&calls->calls);
	table_free(&calls->tasks);
}

void stream_calls_called(struct stream_calls *calls, const struct moment *at,
			 const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task_call *call;

	if (at->softirq)
		return;
	call = table_find(&calls->tasks, key);
	if (!call)
		call = table_add(&calls->tasks, key, calloc(1, sizeof(*call)));
	if (call)
		*call = (struct task_call){ .is_open = true, .begun = at->ts, .func = event->func };
	else
		calls->set->failed = true;
}

static struct stream *stream_of_call(struct stream_set *set, const struct skb_event *event,
				     bool writes, bool add)
{
	const struct flow flow = writes ? event->flow : flow_reversed(&event->flow);
	struct stream *stream = stream_set_find(set, &flow, event->netns);
	const uint32_t seq = writes ? event->write_seq : event->copied_seq;

	if (stream && stream->segments)
		return stream;
	if (!add || !flow.sport || !flow.dport)
		return NULL;
	stream = stream_set_add(set, &flow, event->flow_number, seq);
	if (stream)
		stream_set_connect(set, &flow, event->netns, stream);
	return stream;
}

/* Return: the outermost call of the running task, or NULL. */
static struct task_call *task_call_of(const struct stream_calls *calls, const struct moment *at)
{
	struct task_call *call =
		at->softirq ? NULL :
			      table_find(&calls->tasks, table_task_key(at->pid, at->cpu, NULL));

	return call && call->is_open ? call : NULL;
}

void stream_calls_stream_called(struct stream_calls *calls, const struct moment *at,
				const struct skb_event *event)
{
	const struct table_key key = { .number = event->call };
	const struct task_call *outer = task_call_of(calls, at);
	struct open_call *call;

	if (!event->call || event->dir == RECORD_SKB_DIR_NONE)
		return;
	call = table_find(&calls->calls, key);
	if (!call)
		call = table_add(&calls->calls, key, calloc(1, sizeof(*call)));
	if (!call) {
		calls->set->failed = true;
		return;
	}
	*call = (struct open_call){
		.is_open = true,
		.writes = event->dir == RECORD_SKB_DIR_TX,
		.begun = outer ? outer->begun : at->ts,
		.outer = outer ? outer->func : event->func,
		.event = *event,
	};
	if (!call->writes)
		return;
	call->stream = stream_of_call(calls->set, event, true, true);
	if (call->stream)
		call->stream->open_writes++;
}

/*
 * Find the bytes that a call moved. They are between the positions of the stream before and after the call,
 * if their number equals the result of the call. If not, another task has moved bytes at the same time, or
 * the socket encrypts the data.
 *
 * Return: false if the bytes are not known.
 */
static bool moved_bytes(struct stream *stream, const struct open_call *call,
			const struct skb_event *event, struct byte_call *moved)
{
	const uint32_t before = call->writes ? call->event.write_seq : call->event.copied_seq;
	const uint32_t after = call->writes ? event->write_seq : event->copied_seq;
	const uint32_t result = event->ret, bytes = after - before;

	moved->from = stream_position(stream, before);
	moved->to = moved->from + result;
	if (bytes == result)
		return true;
	/* The call may also have taken the FIN, which uses one sequence number. */
	return !call->writes && bytes == result + 1 && stream->fin == moved->to;
}

static void note_bytes(struct stream_set *set, struct stream *stream, const struct open_call *call,
		       const struct skb_event *event, struct byte_call *moved)
{
	const bool peeks = !call->writes && event->copied_seq == call->event.copied_seq;

	if (!call->writes && !stream_may_have(stream, call->event.copied_seq, event->ret))
		return;
	if (!moved_bytes(stream, call, event, moved) && !peeks)
		return;
	if (!stream->knows_done && !peeks) {
		stream->knows_done = true;
		stream->done = moved->from;
		stream->shown.base = moved->from;
	}
	if (call->writes) {
		set->failed |= !call_list_insert(&stream->writes, moved);
		return;
	}
	set->failed |= !call_list_insert(peeks ? &stream->peeks : &stream->reads, moved);
	stream->is_received = true;
	if (!peeks)
		byte_segments_set_next(stream->segments, moved->to);
}

void stream_calls_stream_returned(struct stream_calls *calls, const struct moment *at,
				  const struct skb_event *event)
{
	const struct table_key key = { .number = event->call };
	struct open_call *call = table_find(&calls->calls, key);
	struct stream *stream;
	struct byte_call moved;

	if (!call || !call->is_open || call->event.func != event->func)
		return;
	call->is_open = false;
	stream = call->stream;
	if (!stream && !call->writes)
		stream = stream_of_call(calls->set, &call->event, false, event->ret > 0);
	if (!stream)
		return;
	if (call->writes && stream->open_writes)
		stream->open_writes--;
	if (!stream->segments)
		return;
	if ((int32_t)event->ret > 0 && event->has_stream) {
		moved = (struct byte_call){
			.begun = call->begun,
			.ended = at->ts,
			.pid = at->pid,
			.func = event->func,
			.outer = call->outer,
		};
		snprintf(moved.comm, sizeof(moved.comm), "%s", at->comm ? at->comm : "");
		note_bytes(calls->set, stream, call, event, &moved);
	}
	stream_pass_read(stream);
}

void stream_calls_call_returned(struct stream_calls *calls, const struct moment *at,
				const struct skb_event *event)
{
	struct task_call *call = task_call_of(calls, at);

	if (call && call->func == event->func)
		call->is_open = false;
}

void stream_calls_lose(struct stream_calls *calls)
{
	struct open_call *call;
	struct task_call *outer;
	size_t i = 0;

	while ((call = table_next(&calls->calls, &i)))
		call->is_open = false;
	i = 0;
	while ((outer = table_next(&calls->tasks, &i)))
		outer->is_open = false;
}
