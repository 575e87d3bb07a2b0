/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * pieces.h - whose the rows of a piece are
 */
#ifndef _RECORD_SKB_KSHARK_PIECES_H
#define _RECORD_SKB_KSHARK_PIECES_H

#include "calls.h"
#include "tasks.h"

struct kshark_data_stream;

/**
 * struct labels - what is shown behind rows
 * @v: from 1 on
 * @n: the last one's number
 */
struct labels {
	char **v;
	size_t n, room;
};

/**
 * struct resolver - how pieces of a stream are resolved
 * @stream: whose records they are
 * @rows: of its trace
 * @tasks: of the stream
 * @state: whose each line is
 * @label: of each loaded row its label's number, 0 for nothing; once its piece is resolved
 * @labels: of the stream
 * @calls: of the piece that is looked at
 * @last_read: the row of it that was read last
 */
struct resolver {
	struct kshark_data_stream *stream;
	struct rows *rows;
	const struct tasks *tasks;
	struct graph_state *state;
	uint32_t *label;
	struct labels labels;
	struct calls calls;
	const struct kshark_entry *last_read;
};

/* Find out whose each row is, if that has not been done. */
void piece_resolve(struct resolver *resolver, struct task *task, struct piece *piece);

void resolver_free(struct resolver *resolver);

#endif /* _RECORD_SKB_KSHARK_PIECES_H */
