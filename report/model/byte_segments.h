/* SPDX-License-Identifier: GPL-2.0 */
/*
 * byte_segments.h - the packets that carry the bytes of a TCP stream, and the order in which they arrive
 *
 * Positions are 64-bit numbers that count the bytes of the stream. Unlike sequence numbers, they do not
 * wrap.
 */
#ifndef _RECORD_SKB_BYTE_SEGMENTS_H
#define _RECORD_SKB_BYTE_SEGMENTS_H

#include "model/byte_streams.h"
#include "model/stages.h"

/**
 * struct segment_seen - one skb with bytes of the stream, from its first probe point on
 * @from: position of its first byte
 * @to: position after its last byte
 * @packet: number of the packet
 * @copy: number of the copy
 * @acked: position in the other direction up to which the sender acknowledged the bytes; 0 if not known
 * @times: when the skb reached the stages BYTE_SENT, BYTE_QUEUED, BYTE_DRIVEN and BYTE_RECEIVED; 0 for a
 *	stage in which it was not seen
 * @receiving: the last probe point of the skb was in the stage BYTE_RECEIVED
 * @arrived: the receiver's TCP has received the skb
 * @forgotten: the stream does not need the skb any more
 */
struct segment_seen {
	uint64_t from, to;
	uint32_t packet, copy;
	uint64_t acked;
	uint64_t times[BYTE_TIMES];
	bool receiving, arrived, forgotten;
};

/* Note the time at which the skb entered @stage. */
void segment_note_stage(struct segment_seen *segment, enum stage stage, uint64_t ts);

struct byte_segments;

struct byte_segments *byte_segments_create(void);
void byte_segments_free(struct byte_segments *segments);

/*
 * Add an skb; the caller keeps ownership of @segment. If there are too many, the older half is forgotten.
 * Return: false if there is not enough memory.
 */
bool byte_segments_add(struct byte_segments *segments, struct segment_seen *segment);

/* Note that all bytes before this position have arrived. The next bytes in order begin at this position. */
void byte_segments_set_next(struct byte_segments *segments, uint64_t position);

/**
 * byte_segments_arrive - note that TCP of the receiver got an skb
 * @segments: the segments of the stream
 * @segment: the skb
 * @from: position of the skb's first byte; it can differ from @segment, because the skb may have grown
 * @to: position after the skb's last byte
 * @ts: time of the arrival
 *
 * Return: false if there is not enough memory.
 */
bool byte_segments_arrive(struct byte_segments *segments, struct segment_seen *segment,
			  uint64_t from, uint64_t to, uint64_t ts);

/*
 * Note that the receiver dropped the skb after byte_segments_arrive(). So the bytes of the skb have not
 * arrived.
 */
void byte_segments_drop(struct byte_segments *segments, const struct segment_seen *segment);

/* Handle lost events: forget all arrivals, because the times when bytes arrived are not known any more. */
void byte_segments_lose(struct byte_segments *segments);

/* Forget all bytes before this position. */
void byte_segments_forget(struct byte_segments *segments, uint64_t position);

/* Return: the position after the last byte that was sent or has arrived; 0 without such a byte. */
uint64_t byte_segments_end(const struct byte_segments *segments);

/* Return: true if a packet has bytes after @position. */
bool byte_segments_has_data(const struct byte_segments *segments, uint64_t position);

/* Return: true if packets with the byte at @position may have been forgotten. */
bool byte_segments_forgot(const struct byte_segments *segments, uint64_t position);

/* Return: the position up to which all bytes have arrived; 0 if it is not known. */
uint64_t byte_segments_arrived(const struct byte_segments *segments);

/*
 * Fill in the packet and the times of @piece, as far as they are known. The times are those of the byte at
 * @last.
 */
void byte_segments_describe(const struct byte_segments *segments, struct byte_piece *piece,
			    uint64_t last);

/*
 * Return: the position up to which the sender had acknowledged the bytes of the other direction when it sent
 * the byte at @position for the first time; 0 if not known.
 */
uint64_t byte_segments_acked(const struct byte_segments *segments, uint64_t position);

/*
 * Return: the time when a packet sent some of the bytes from @from to @to for the second time; 0 if none did.
 */
uint64_t byte_segments_again(const struct byte_segments *segments, uint64_t from, uint64_t to);

#endif
