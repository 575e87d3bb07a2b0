/* SPDX-License-Identifier: GPL-2.0 */
/* stream_calls.h - find the bytes of a TCP stream that each socket call wrote or read */
#ifndef _RECORD_SKB_STREAM_CALLS_H
#define _RECORD_SKB_STREAM_CALLS_H

#include "model/stream_set.h"

/**
 * struct stream_calls - the calls that have not returned
 * @set: all streams
 * @calls: struct open_call; the key is the number of the call
 * @tasks: struct task_call, the outermost call of a task
 */
struct stream_calls {
	struct stream_set *set;
	struct table calls, tasks;
};

void stream_calls_init(struct stream_calls *calls, struct stream_set *set);
void stream_calls_free(struct stream_calls *calls);

/* Each function below handles the callback of struct observer that has the same name. */
void stream_calls_called(struct stream_calls *calls, const struct moment *at,
			 const struct skb_event *event);
void stream_calls_call_returned(struct stream_calls *calls, const struct moment *at,
				const struct skb_event *event);
void stream_calls_stream_called(struct stream_calls *calls, const struct moment *at,
				const struct skb_event *event);
void stream_calls_stream_returned(struct stream_calls *calls, const struct moment *at,
				  const struct skb_event *event);

/* Handle lost events: note that the calls of all tasks may have returned. */
void stream_calls_lose(struct stream_calls *calls);

#endif
