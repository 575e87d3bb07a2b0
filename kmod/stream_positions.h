/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_STREAM_POSITIONS_H
#define RECORD_SKB_STREAM_POSITIONS_H

#include <linux/types.h>

struct sock;

/*
 * struct call_socket - the socket of a call, and the kind of data that the call moves
 * @sk: the socket; NULL if the caller of the function may release it before the function returns
 * @control: the first control message that a TLS receive function will write; NULL without a buffer for it
 * @msg_flags: MSG_* flags of a receiving call, otherwise 0
 * @dir: enum record_skb_dir of the data
 * @user_control: @control is an address in user space
 * @tls: RECORD_SKB_TLS_CONTROL or RECORD_SKB_TLS_ANY_TYPE if the arguments of the call show this, otherwise 0
 */
struct call_socket {
	const struct sock *sk;
	const void *control;
	u32 msg_flags;
	u8 dir;
	bool user_control;
	u8 tls;
};

/*
 * struct stream_positions - positions in the byte streams of a TCP socket
 * @write_seq: sequence number after the last byte that was written
 * @copied_seq: sequence number of the first byte that was not read
 * @plain: with RECORD_SKB_TLS_KNOWN, position in the content of the TLS records of the call's direction
 * @records: with RECORD_SKB_TLS_KNOWN, number of the next TLS record of that direction
 * @known: 0 if the socket is not a TCP socket
 * @tls: RECORD_SKB_TLS_* flags; 0 if the kernel does not encrypt the call's direction
 */
struct stream_positions {
	u32 write_seq;
	u32 copied_seq;
	u32 plain;
	u32 records;
	u8 known;
	u8 tls;
};

void call_socket_set_message(struct call_socket *s, const void *message);
struct stream_positions stream_positions(const struct call_socket *s, bool has_returned);

#endif
