// SPDX-License-Identifier: GPL-2.0
/* --count, --duration and --max-size: what ends a recording by itself. */
#include <stddef.h>

#include "end-limits.h"
#include "session.h"

const char *limits_reached(const struct options *o, int session, const struct output *output,
			   unsigned long long packets_before, unsigned long seconds)
{
	struct record_skb_stats stats;
	struct err err;

	if (o->count && !session_stats(session, &stats, &err) &&
	    packets_before + stats.packets >= o->count)
		return "--count";
	if (o->duration && seconds >= o->duration)
		return "--duration";
	if (o->max_size && output->file && output_size(output) >= o->max_size << 20)
		return "--max-size";
	return NULL;
}
