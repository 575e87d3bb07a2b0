// SPDX-License-Identifier: GPL-2.0
/* stream_calls.c - find the bytes of a TCP stream that each socket call wrote or read */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "model/packet_headers.h"
#include "model/stream_calls.h"

/* A call that has not returned. @is_unsure is set if it may have returned, because events were lost. */
struct open_call {
	bool is_open, is_unsure, writes;
	int pid;
	uint64_t begun, outer;
	struct skb_event event;
	struct stream *stream; /* the stream to which the call writes, NULL if not known */
};

/* The outermost call of a task. */
struct task_call {
	bool is_open;
	uint64_t begun, func;
};

/*
 * If the return event of a write may be lost, pieces wait for this event only until this number of calls has
 * read from the stream.
 */
#define MAX_HELD_READS 1000

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

/* Prepare a new stream for the data in TLS records, and connect it with the stream of the other direction. */
static void begin_tls(struct stream_set *set, struct stream *stream, const struct stream *parent,
		      const struct skb_event *event, bool writes)
{
	/* The event has the addresses in the direction from the socket of the call to its peer. */
	const struct flow back = writes ? flow_reversed(&event->flow) : event->flow;
	const struct stream *other = stream_set_find(set, &back, event->netns);

	stream->shown.has_tls = true;
	stream->shown.is_client = parent->shown.is_client;
	stream->shown.begins = parent->shown.begins && !parent->lossy &&
			       !parent->tls_unknown[writes];
	stream->knows_done = true;
	stream->done = FIRST_POSITION;
	/* The calls at the other end of the stream also start at the first byte of the stream. */
	if (stream->shown.begins)
		call_chain_set(&stream->chains[!writes], FIRST_POSITION);
	if (other && other->segments && other->tls)
		stream_join(stream, other->tls);
}

/*
 * Find the stream of a call of a socket with kernel TLS. This stream consists of the data in the TLS records,
 * and not of the records. If @add is true, add the TCP stream of the records if it is not known. Return: the
 * stream; NULL if it is not known.
 */
static struct stream *tls_of_call(struct stream_set *set, const struct skb_event *event,
				  bool writes, bool add)
{
	struct stream *parent = stream_of_call(set, event, writes, add), *stream;
	const uint32_t seq = writes ? event->write_seq : event->copied_seq;

	if (!parent)
		return NULL;
	if (!parent->tls) {
		if (!writes && !stream_may_have(parent, seq, 0))
			return NULL;
		if (!(event->tls & RECORD_SKB_TLS_KNOWN)) {
			parent->tls_unknown[writes] = true;
			return NULL;
		}
		stream = stream_set_add(set, &parent->shown.flow, parent->shown.flow_number,
					event->tls_plain);
		if (!stream)
			return NULL;
		stream->parent = parent;
		parent->tls = stream;
		parent->tls_from = parent->tls_to = stream_position(parent, seq);
		begin_tls(set, stream, parent, event, writes);
	}
	stream = parent->tls;
	return stream->segments ? stream : NULL;
}

/*
 * Handle the number of the next TLS record before or after a call. After a change of the key, the records are
 * numbered from the beginning, so positions before and after the change cannot be compared.
 */
static void note_records(struct stream *stream, const struct skb_event *event, bool writes)
{
	uint32_t *last = &stream->tls_records[writes];

	if (!(event->tls & RECORD_SKB_TLS_KNOWN))
		return;
	if ((int32_t)(event->tls_records - *last) < 0)
		stream->has_new_key = true;
	*last = event->tls_records;
}

/*
 * Handle a known position before or after a call of a socket with kernel TLS. The position may tell which
 * bytes the previous calls moved.
 */
static void note_position(struct stream_set *set, struct stream *stream,
			  const struct skb_event *event, bool writes)
{
	struct call_chain *chain = &stream->chains[writes];
	struct call_list *list;
	uint64_t position;

	note_records(stream, event, writes);
	if (stream->has_new_key)
		call_chain_break(chain);
	if (stream->has_new_key || !(event->tls & RECORD_SKB_TLS_KNOWN))
		return;
	position = stream_position(stream, event->tls_plain);
	if (call_chain_reach(chain, position)) {
		for (size_t i = 0; i < chain->n; i++) {
			const struct chained_call *call = &chain->v[i];

			list = writes	   ? &stream->writes :
			       call->moves ? &stream->reads :
					     &stream->peeks;
			if (!call->hidden)
				set->failed |= !call_list_insert(list, &call->call);
			if (call->call.record_end > stream->parent->tls_to)
				stream->parent->tls_to = call->call.record_end;
		}
	}
	call_chain_set(chain, position);
}

/* Return: the outermost call of the running task; NULL if the task is in no call. */
static struct task_call *task_call_of(const struct stream_calls *calls, const struct moment *at)
{
	struct task_call *call =
		at->softirq ? NULL :
			      table_find(&calls->tasks, table_task_key(at->pid, at->cpu, NULL));

	return call && call->is_open ? call : NULL;
}

/* End a call that writes, after it has returned. */
static void end_write(struct open_call *call)
{
	struct stream *stream = call->stream;

	if (stream->open_writes)
		stream->open_writes--;
	if (call->is_unsure && stream->unsure_writes)
		stream->unsure_writes--;
}

/* Another call with the same number begins, so the return event of this call is missing. End this call. */
static void end_lost_call(struct open_call *call)
{
	struct call_chain *chain = &call->stream->chains[call->writes];

	if (call->writes)
		end_write(call);
	/* A call with @is_unsure was already removed from the chain. */
	if (!call->event.tls || call->is_unsure)
		return;
	call_chain_break(chain);
	call_chain_end(chain);
}

/*
 * End those writes to a stream for which the return event is lost. If @pid is not 0, end only writes of this
 * task, because the task has begun another call.
 */
static void end_unsure_writes(struct stream_calls *calls, const struct stream *stream, int pid)
{
	struct open_call *call;
	size_t i = 0;

	while ((call = table_next(&calls->calls, &i))) {
		if (!call->is_open || !call->is_unsure || !call->writes || call->stream != stream ||
		    (pid && call->pid != pid))
			continue;
		end_write(call);
		call->is_open = false;
	}
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
	if (call->is_open && call->stream)
		end_lost_call(call);
	*call = (struct open_call){
		.is_open = true,
		.writes = event->dir == RECORD_SKB_DIR_TX,
		.pid = at->pid,
		.begun = outer ? outer->begun : at->ts,
		.outer = outer ? outer->func : event->func,
		.event = *event,
	};
	if (event->tls)
		/* The stream of a reader may not be known before a packet comes, so do not add it yet. */
		call->stream = tls_of_call(calls->set, event, call->writes, call->writes);
	else if (call->writes)
		call->stream = stream_of_call(calls->set, event, true, true);
	if (!call->stream)
		return;
	if (call->writes) {
		if (call->stream->unsure_writes)
			end_unsure_writes(calls, call->stream, at->pid);
		call->stream->open_writes++;
	}
	if (event->tls) {
		call_chain_begin(&call->stream->chains[call->writes]);
		note_position(calls->set, call->stream, event, call->writes);
	}
}

/*
 * Find the bytes that a call moved. They are between the positions of the stream before and after the call.
 * This is certain if the number of bytes between both positions is equal to the result of the call.
 * Otherwise, another task has moved bytes at the same time, or the socket encrypts the data.
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

/*
 * Return: true if the call only peeks at the bytes and does not take them out of the socket. A call that
 * returns urgent data (MSG_OOB) does not take them out either. It does not count as a peek, because the
 * position of the urgent byte is not known.
 */
static bool is_peek(const struct open_call *call)
{
	return !call->writes && (!call->event.has_msg_flags ||
				 (call->event.msg_flags & (MSG_PEEK | MSG_OOB)) == MSG_PEEK);
}

/*
 * Find the data in TLS records that a call moved, as moved_bytes() does for other data. Return: false if the
 * data are not known.
 */
static bool moved_data(struct stream *stream, const struct open_call *call,
		       const struct skb_event *event, struct byte_call *moved)
{
	const uint32_t before = call->writes ? call->event.write_seq : call->event.copied_seq;
	const uint32_t after = call->writes ? event->write_seq : event->copied_seq;
	const uint32_t result = event->ret, bytes = event->tls_plain - call->event.tls_plain;
	struct stream *parent = stream->parent;
	uint64_t end;

	if (!(call->event.tls & event->tls & RECORD_SKB_TLS_KNOWN) ||
	    event->tls & RECORD_SKB_TLS_ANY_TYPE || stream->has_new_key)
		return false;
	if (!call->writes && !stream_may_have(parent, before, after - before))
		return false;
	moved->from = stream_position(stream, call->event.tls_plain);
	moved->to = moved->from + result;
	moved->is_control = event->tls & RECORD_SKB_TLS_CONTROL;
	if (bytes != result)
		return !bytes && is_peek(call);
	end = stream_position(parent, after);
	if (event->tls & RECORD_SKB_TLS_OPEN)
		return true;
	moved->record_end = end;
	if (end > parent->tls_to)
		parent->tls_to = end;
	return true;
}

/* Note which data in TLS records a call has moved. */
static void note_data(struct stream_set *set, struct stream *stream, const struct open_call *call,
		      const struct skb_event *event, struct byte_call *moved)
{
	const bool knows = call->event.tls & event->tls & RECORD_SKB_TLS_KNOWN;
	const bool peeks = is_peek(call) && (!knows || event->tls_plain == call->event.tls_plain);
	const uint32_t after = call->writes ? event->write_seq : event->copied_seq;
	struct chained_call chained = {
		.len = event->ret,
		.hidden = event->tls & RECORD_SKB_TLS_ANY_TYPE,
	};

	if (!knows) {
		/* If events were lost, calls before this one may be missing in the chain. */
		if (call->is_unsure)
			return;
		moved->is_control = event->tls & RECORD_SKB_TLS_CONTROL;
		if ((event->tls & (RECORD_SKB_TLS_KNOWN | RECORD_SKB_TLS_OPEN)) ==
		    RECORD_SKB_TLS_KNOWN)
			moved->record_end = stream_position(stream->parent, after);
		chained.call = *moved;
		chained.moves = !peeks || !call->event.has_msg_flags;
		set->failed |= !call_chain_add(&stream->chains[call->writes], &chained);
		return;
	}
	if (!moved_data(stream, call, event, moved))
		return;
	if (call->writes)
		set->failed |= !call_list_insert(&stream->writes, moved);
	else
		set->failed |= !call_list_insert(peeks ? &stream->peeks : &stream->reads, moved);
}

static void note_bytes(struct stream_set *set, struct stream *stream, const struct open_call *call,
		       const struct skb_event *event, struct byte_call *moved)
{
	const bool peeks = event->copied_seq == call->event.copied_seq && is_peek(call);

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

static struct byte_call call_of(const struct moment *at, const struct skb_event *event,
				const struct open_call *call)
{
	struct byte_call moved = {
		.begun = call->begun,
		.ended = at->ts,
		.pid = at->pid,
		.func = event->func,
		.outer = call->outer,
	};

	snprintf(moved.comm, sizeof(moved.comm), "%s", at->comm ? at->comm : "");
	return moved;
}

/*
 * Find the stream of a call that has returned. The position was not known when the call began, but another
 * call may have shown it since.
 */
static struct stream *tls_of_returned(struct stream_set *set, const struct open_call *call)
{
	struct stream *stream = tls_of_call(set, &call->event, call->writes, true);

	if (!stream)
		return NULL;
	/* Other calls of this direction may have begun or returned during this call. */
	if (stream->chains[call->writes].calls)
		call_chain_break(&stream->chains[call->writes]);
	call_chain_begin(&stream->chains[call->writes]);
	return stream;
}

/* Handle the return of a call of a socket with kernel TLS. */
static void tls_returned(struct stream_calls *calls, const struct moment *at,
			 const struct skb_event *event, const struct open_call *call)
{
	struct stream *stream = call->stream;
	struct byte_call moved;

	if (!stream && !call->is_unsure && (int32_t)event->ret > 0)
		stream = tls_of_returned(calls->set, call);
	if (!stream || !stream->segments || !stream->parent)
		return;
	if ((int32_t)event->ret > 0) {
		moved = call_of(at, event, call);
		note_data(calls->set, stream, call, event, &moved);
	}
	if (!call->is_unsure) {
		note_position(calls->set, stream, event, call->writes);
		call_chain_end(&stream->chains[call->writes]);
	}
	if (stream->unsure_writes && stream->reads.n > MAX_HELD_READS)
		end_unsure_writes(calls, stream, 0);
	stream_pass_read(stream);
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
	if (call->writes && call->stream)
		end_write(call);
	if (call->event.tls || event->tls) {
		tls_returned(calls, at, event, call);
		return;
	}
	stream = call->stream;
	if (!stream && !call->writes)
		stream = stream_of_call(calls->set, &call->event, false, event->ret > 0);
	if (!stream)
		return;
	if (!stream->segments)
		return;
	if ((int32_t)event->ret > 0 && event->has_stream) {
		moved = call_of(at, event, call);
		note_bytes(calls->set, stream, call, event, &moved);
	}
	if (stream->unsure_writes && stream->reads.n > MAX_HELD_READS)
		end_unsure_writes(calls, stream, 0);
	stream_pass_read(stream);
	if (stream->tls && stream->tls->segments && !call->writes)
		stream_pass_sent(stream->tls, stream->done);
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
	struct stream *stream;
	size_t i = 0;

	while ((call = table_next(&calls->calls, &i))) {
		if (!call->is_open || call->is_unsure)
			continue;
		call->is_unsure = true;
		if (call->writes && call->stream)
			call->stream->unsure_writes++;
	}
	i = 0;
	while ((outer = table_next(&calls->tasks, &i)))
		outer->is_open = false;
	for (stream = calls->set->first; stream; stream = stream->next) {
		for (i = 0; i < 2; i++)
			call_chain_lose(&stream->chains[i]);
	}
}
