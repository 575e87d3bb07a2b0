// SPDX-License-Identifier: GPL-2.0
/* request_parts.c - collect the data of a request and of its response, and divide the time between them */
#include "model/request_parts.h"

/*
 * The parts for the way of data from one end to the other: in the network stacks of the sender and of the
 * receiver, and in the socket of the receiver.
 */
struct way {
	enum request_part sender, receiver, socket;
};

static const struct way there = { REQUEST_CLIENT, REQUEST_SERVER, REQUEST_QUEUE };
static const struct way back = { REQUEST_RESPONSE, REQUEST_RESPONSE, REQUEST_CLIENT_QUEUE };

const char *request_part_name(enum request_part part)
{
	static const char *const names[REQUEST_PARTS] = {
		[REQUEST_CLIENT] = "client",
		[REQUEST_AGAIN] = "sent again",
		[REQUEST_TRANSIT] = "transit",
		[REQUEST_SERVER] = "server stack",
		[REQUEST_MISSING] = "missing bytes",
		[REQUEST_QUEUE] = "receive queue",
		[REQUEST_APPLICATION] = "application",
		[REQUEST_RESPONSE] = "response",
		[REQUEST_CLIENT_QUEUE] = "client queue",
	};

	return names[part];
}

enum request_part request_longest_part(const struct request *request)
{
	const uint64_t total = request->ended - request->begun;
	enum request_part longest = REQUEST_PARTS;
	uint64_t known = 0;

	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		known += request->known[part] ? request->parts[part] : 0;
		if (request->known[part] &&
		    (longest == REQUEST_PARTS || request->parts[part] > request->parts[longest]))
			longest = part;
	}
	if (longest == REQUEST_PARTS || known + request->parts[longest] < total)
		return REQUEST_PARTS;
	return longest;
}

static uint64_t last_time(const uint64_t times[BYTE_TIMES])
{
	for (enum byte_time time = BYTE_TIMES; time-- > 0;) {
		if (times[time])
			return times[time];
	}
	return 0;
}

uint64_t half_ended(const struct half *half)
{
	return last_time(half->last.times);
}

/* Return: the earlier of two times that may be unknown (0). */
static uint64_t earlier(uint64_t one, uint64_t other)
{
	return !one || (other && other < one) ? other : one;
}

/*
 * The first datagram of a request can have the same bytes as the previous request, which was answered. Then
 * the client asks the same question for the second time.
 */
bool half_repeats(const struct half *half, const struct kept_piece *kept)
{
	return half->nr && (kept->at < half->first.at ? half->first.resent : kept->resent);
}

void half_add(struct half *half, const struct kept_piece *kept)
{
	half->again += kept->is_datagram ? half_repeats(half, kept) : kept->again != 0;
	half->again_at = earlier(half->again_at, kept->again);
	if (!half->nr || kept->at < half->first.at)
		half->first = *kept;
	if (!half->nr || kept->at >= half->last.at)
		half->last = *kept;
	half->bytes += kept->bytes;
	half->nr++;
}

static void set_part(struct request *request, enum request_part part, uint64_t from, uint64_t to)
{
	if (!from || !to || to < from)
		return;
	request->parts[part] += to - from;
	request->known[part] = true;
}

/*
 * Add the time from the beginning of the call that writes the first data, at @begun, to the driver. @again is
 * the time when TCP sent some of these data again, 0 if it did not.
 */
static void add_sending(struct request *request, const struct kept_piece *piece,
			const struct way *way, uint64_t begun, uint64_t again)
{
	const uint64_t *times = piece->times;

	if (piece->is_datagram) {
		/* The sender has waited for an answer before it sent the same datagram again. */
		set_part(request, REQUEST_AGAIN, begun, piece->write.begun);
		set_part(request, way->sender, piece->write.begun, times[BYTE_DRIVEN]);
		return;
	}
	set_part(request, REQUEST_AGAIN, times[BYTE_SENT], times[BYTE_RESENT]);
	/*
	 * If earlier data were sent again, the socket may have held these data back until the earlier ones
	 * were acknowledged. So the cause of the wait in the socket is not known.
	 */
	if (again && again < times[BYTE_SENT])
		return;
	set_part(request, way->sender, begun, times[BYTE_SENT]);
	set_part(request, way->sender, times[BYTE_RESENT], times[BYTE_DRIVEN]);
}

/* Add the way of the data up to the call that reads them. */
static void add_way(struct request *request, const struct kept_piece *piece, const struct way *way,
		    uint64_t begun, uint64_t again)
{
	const uint64_t *times = piece->times;

	/* If the arrival is not known, it is not known which of the packets with these data has arrived. */
	if (!piece->is_datagram && piece->resent && !times[BYTE_ARRIVED])
		return;
	add_sending(request, piece, way, begun, again);
	set_part(request, REQUEST_TRANSIT, times[BYTE_DRIVEN], times[BYTE_RECEIVED]);
	set_part(request, way->receiver, times[BYTE_RECEIVED], times[BYTE_ARRIVED]);
	set_part(request, REQUEST_MISSING, times[BYTE_ARRIVED], times[BYTE_IN_ORDER]);
	set_part(request, way->socket, times[BYTE_IN_ORDER], times[BYTE_CALLED]);
}

/*
 * The time of a request ends with the first data of its response. The end of a response is not known: later
 * data may be about something else. For example, a server says goodbye when it closes an idle connection.
 * Therefore the later data have no parts. A part is not known if the time of its beginning or of its end is
 * not known.
 */
void request_set_times(struct request *request, const struct half *asked,
		       const struct half *answered)
{
	const struct kept_piece *in = &asked->last, *out = &answered->first;
	const uint64_t last = half_ended(answered);

	request->begun = asked->first.at;
	request->ended = last_time(out->times);
	request->rest = last > request->ended ? last - request->ended : 0;
	add_way(request, in, &there, asked->first.write.begun, asked->again_at);
	if (out->write.begun > in->times[BYTE_CALLED])
		set_part(request, REQUEST_APPLICATION, in->times[BYTE_CALLED], out->write.begun);
	add_way(request, out, &back, out->write.begun, out->again);
	set_part(request, REQUEST_RESPONSE, out->times[BYTE_CALLED], out->times[BYTE_READ]);
}
