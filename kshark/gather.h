/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * gather.h - packets and where they stay, out of the pieces of a stream
 */
#ifndef _RECORD_SKB_KSHARK_GATHER_H
#define _RECORD_SKB_KSHARK_GATHER_H

#include "lanes.h"
#include "packets.h"

/* Of @number 0, all packets. Without memory, some are missing. */
void gather_packets(struct resolver *resolver, struct tasks *tasks, uint32_t number,
		    struct packets *packets);
void packets_free(struct packets *packets);

/* What a view shows: the innermost first, those of one level by time. NULL if nothing. */
struct stay *gather_stays(struct resolver *resolver, struct tasks *tasks, const struct lanes *lanes,
			  const struct view *view, size_t *n);

/* "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", as it was seen first; NULL if it was not. To be freed. */
char *packet_text(const struct resolver *resolver, uint32_t number);

#endif /* _RECORD_SKB_KSHARK_GATHER_H */
