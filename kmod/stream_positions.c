// SPDX-License-Identifier: GPL-2.0
/*
 * stream_positions.c - the positions of a socket call in the byte streams of its TCP socket
 *
 * If the kernel encrypts the data of the socket (kTLS), TCP's sequence numbers count the bytes of TLS
 * records. In this case, the position in the content of the records is needed, too.
 *
 * Both ends number the records, and each record is longer than its content by the same number of bytes. So
 * the sequence number minus the overhead of all records counts the bytes of the content. This count is equal
 * at both ends, no matter when the recording began.
 *
 * The socket is not locked, so another context may change it at the same time. The positions are only known
 * if nothing changed while they were read, and if no lock is held that allows such changes. All memory that
 * the socket may release is read with copy_from_kernel_nofault().
 */
#include <linux/err.h>
#include <linux/skmsg.h>
#include <linux/socket.h>
#include <linux/spinlock.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <net/inet_connection_sock.h>
#include <net/sock.h>
#include <net/strparser.h>
#include <net/tcp.h>
#include <net/tls.h>
#include <record_skb.h>

#include "stream_positions.h"

/* The content type of a TLS record with data of the application. The kernel's name differs by version. */
#define TLS_DATA 23
/* Maximum length of the lists of TLS records, and of the list of parts of a record. */
#define MAX_RECORDS 128
#define MAX_PARTS   (2 * MAX_MSG_FRAGS)

/*
 * The beginning of the kernel's struct tls_rec, which no header exports. If another version of the kernel had
 * another order, the positions would not agree with the return values of the calls, and would be unknown.
 */
struct record_head {
	struct list_head list;
	int tx_ready;
	int tx_flags;
	struct sk_msg msg_plaintext;
	struct sk_msg msg_encrypted;
};

#define peek(to, from) (!copy_from_kernel_nofault(&(to), (from), sizeof(to)))

/* TLS state of one direction of a socket. The state changes whenever data of this direction are moved. */
struct tls_state {
	u32 seq;
	u32 records;
	const void *
		object; /* TX: the open record; RX: the first record that was decrypted and not read */
	/* TX: the part of a record that could not be sent; RX: the copy of the next record */
	const void *part;
	u32 offset; /* TX: offset of unsent bytes in part; RX: bytes in the copy */
};

static u32 record_number(const char *rec_seq)
{
	__be32 low;

	memcpy(&low, rec_seq + TLS_MAX_REC_SEQ_SIZE - sizeof(low), sizeof(low));
	return be32_to_cpu(low);
}

/* Return: number of bytes from @offset in @sg to the end of the list; -1 if not known. */
static int parts_len(const struct scatterlist *sg, u32 offset)
{
	struct scatterlist part;
	int i, len = 0;

	for (i = 0; i < MAX_PARTS; i++) {
		if (!peek(part, sg))
			return -1;
		if (sg_is_chain(&part)) {
			sg = sg_chain_ptr(&part);
			continue;
		}
		len += part.length;
		if (sg_is_last(&part))
			return len - offset;
		sg++;
	}
	return -1;
}

/* Add the bytes of encrypted records that were not passed to TCP yet. Return: false if not known. */
static bool add_unsent(const struct tls_sw_context_tx *tx, const struct tls_state *state, u32 *seq)
{
	const struct list_head *at = READ_ONCE(tx->tx_list.next);
	int i, len;

	for (i = 0; at != &tx->tx_list; i++) {
		const struct record_head *record = container_of(at, struct record_head, list);
		u32 size;

		if (i == MAX_RECORDS || !peek(size, &record->msg_encrypted.sg.size))
			return false;
		if (!i && state->part) {
			len = parts_len(state->part, state->offset);
			if (len < 0)
				return false;
			size = len;
		}
		*seq += size;
		if (!peek(at, &record->list.next))
			return false;
	}
	return true;
}

static void read_tx(const struct sock *sk, const struct tls_context *tls,
		    const struct tls_sw_context_tx *tx, struct tls_state *state)
{
	*state = (struct tls_state){
		.seq = READ_ONCE(tcp_sk(sk)->write_seq),
		.records = record_number(tls->tx.rec_seq),
		.object = READ_ONCE(tx->open_rec),
		.part = READ_ONCE(tls->partially_sent_record),
		.offset = READ_ONCE(tls->partially_sent_offset),
	};
}

/* Return: true if a task uses the socket after all earlier reads, and before all later ones. */
static bool is_owned(const struct sock *sk)
{
	bool owned;

	smp_rmb();
	owned = sock_owned_by_user_nocheck(sk);
	smp_rmb();
	return owned;
}

static void find_tx(const struct sock *sk, const struct tls_context *tls,
		    struct stream_positions *at)
{
	const struct tls_sw_context_tx *tx = READ_ONCE(tls->priv_ctx_tx);
	const struct record_head *open;
	struct tls_state before, after;
	u32 size = 0;

	if (!tx || is_owned(sk))
		return;
	read_tx(sk, tls, tx, &before);
	smp_rmb();
	at->write_seq = before.seq;
	if (!add_unsent(tx, &before, &at->write_seq))
		return;
	open = before.object;
	if (open && !peek(size, &open->msg_plaintext.sg.size))
		return;
	smp_rmb();
	read_tx(sk, tls, tx, &after);
	if (memcmp(&before, &after, sizeof(before)) || is_owned(sk))
		return;
	at->plain = at->write_seq + size - before.records * tls->prot_info.overhead_size;
	at->records = before.records;
	at->tls |= RECORD_SKB_TLS_KNOWN;
	if (open)
		at->tls |= RECORD_SKB_TLS_OPEN;
}

/*
 * Add up the content that was decrypted and not read. @partly is set to false if a decrypted record is left
 * from which no byte was read; otherwise to true. Return: false if the content is not known.
 */
static bool add_decrypted(const struct tls_context *tls, const struct tls_sw_context_rx *rx,
			  u32 *decrypted, bool *partly)
{
	const struct sk_buff *skb = READ_ONCE(rx->rx_list.next);
	struct strp_msg content;
	int i;

	*partly = true;
	for (i = 0; skb != (const struct sk_buff *)&rx->rx_list; i++) {
		if (i == MAX_RECORDS || !peek(content, strp_msg((struct sk_buff *)skb)) ||
		    !peek(skb, &skb->next))
			return false;
		*decrypted += content.full_len;
		if (i || content.offset <= tls->prot_info.prepend_size)
			*partly = false;
	}
	return true;
}

static void read_rx(const struct sock *sk, const struct tls_context *tls,
		    const struct tls_sw_context_rx *rx, struct tls_state *state)
{
	const struct sk_buff *anchor = READ_ONCE(rx->strp.anchor);
	const u32 seq = READ_ONCE(tcp_sk(sk)->copied_seq);

	*state = (struct tls_state){
		/* The FIN has a sequence number, too. Subtract 1 if copied_seq is already after the FIN. */
		.seq = seq - (sock_flag(sk, SOCK_DONE) && seq == READ_ONCE(tcp_sk(sk)->rcv_nxt)),
		.records = record_number(tls->rx.rec_seq),
		.object = READ_ONCE(rx->rx_list.next),
	};
	/*
	 * If a record does not fit into the receive buffer, kTLS copies the bytes out of the TCP queue before
	 * the record is complete. copied_seq then includes these bytes.
	 */
	if (rx->strp.copy_mode) {
		state->part = anchor;
		if (!peek(state->offset, &anchor->len))
			state->part = ERR_PTR(-EFAULT);
	}
}

/* Return: true if a reader is present after all earlier reads, and before all later ones. */
static bool has_reader(const struct tls_sw_context_rx *rx)
{
	bool present;

	smp_rmb();
	present = READ_ONCE(rx->reader_present);
	smp_rmb();
	return present;
}

/* Return: true if another context may change the socket at this time. */
static bool is_locked(const struct sock *sk)
{
	/* The position must be read before the state of the lock. */
	smp_rmb();
	return sock_owned_by_user_nocheck(sk) || spin_is_locked((spinlock_t *)&sk->sk_lock.slock);
}

/*
 * Find the position in the received stream. While no reader is present, only the parser of TLS records
 * changes the socket, in a softirq or in a work item. Usually, the parser does not change the position. But
 * it may have begun to move bytes of the next record from TCP into a copy. In that case, the position is only
 * known while the socket is not locked.
 */
static void find_rx(const struct sock *sk, const struct tls_context *tls,
		    struct stream_positions *at)
{
	const struct tls_sw_context_rx *rx = READ_ONCE(tls->priv_ctx_rx);
	struct tls_state before, after;
	u32 decrypted = 0;
	bool partly;

	if (!rx || has_reader(rx))
		return;
	read_rx(sk, tls, rx, &before);
	smp_rmb();
	if (IS_ERR(before.part) || (before.part && is_locked(sk)) ||
	    !add_decrypted(tls, rx, &decrypted, &partly))
		return;
	smp_rmb();
	read_rx(sk, tls, rx, &after);
	if (memcmp(&before, &after, sizeof(before)) || (after.part && is_locked(sk)) ||
	    has_reader(rx))
		return;
	at->copied_seq = before.seq - before.offset;
	at->plain = at->copied_seq - decrypted - before.records * tls->prot_info.overhead_size;
	at->records = before.records;
	at->tls |= RECORD_SKB_TLS_KNOWN;
	if (!partly)
		at->tls |= RECORD_SKB_TLS_OPEN;
}

static bool is_tls(const struct sock *sk)
{
	const struct tcp_ulp_ops *ulp = READ_ONCE(inet_csk(sk)->icsk_ulp_ops);

	return unlikely(ulp) && !strcmp(ulp->name, "tls");
}

/*
 * Return: RECORD_SKB_TLS_CONTROL if a receive function has returned a record that is not data of the
 * application; RECORD_SKB_TLS_ANY_TYPE if the type is not known.
 */
static u8 received_type(const struct call_socket *s)
{
	struct {
		struct cmsghdr header;
		u8 type;
	} got;
	unsigned long failed;

	if (!s->control)
		return s->tls;
	if (s->user_control) {
		pagefault_disable();
		failed = !access_ok(s->control, sizeof(got)) ||
			 __copy_from_user_inatomic(&got, (const void __user *)s->control,
						   sizeof(got));
		pagefault_enable();
	} else {
		failed = !peek(got, s->control);
	}
	if (failed || got.header.cmsg_level != SOL_TLS ||
	    got.header.cmsg_type != TLS_GET_RECORD_TYPE)
		return RECORD_SKB_TLS_ANY_TYPE;
	return got.type == TLS_DATA ? 0 : RECORD_SKB_TLS_CONTROL;
}

static void find_tls(const struct call_socket *s, bool has_returned, struct stream_positions *at)
{
	const struct tls_context *tls = tls_get_ctx(s->sk);
	const bool sends = s->dir == RECORD_SKB_DIR_TX;
	u8 conf;

	if (!tls)
		return;
	conf = sends ? tls->tx_conf : tls->rx_conf;
	if (conf == TLS_BASE)
		return;
	at->tls = RECORD_SKB_TLS | (has_returned && !sends ? received_type(s) : s->tls);
	if (conf != TLS_SW)
		return;
	if (sends)
		find_tx(s->sk, tls, at);
	else
		find_rx(s->sk, tls, at);
}

/**
 * stream_positions() - find the positions of a call
 * @s: the socket of the call
 * @has_returned: the call has returned
 *
 * Return: the positions. trace-cmd report-skb compares their change with the return value of the call,
 * because other tasks may use the socket at the same time.
 */
struct stream_positions stream_positions(const struct call_socket *s, bool has_returned)
{
	const struct sock *sk = s->sk;
	struct stream_positions at = {};

	if (!sk || !sk_is_tcp(sk) || (sk->sk_family != AF_INET && sk->sk_family != AF_INET6) ||
	    READ_ONCE(sk->sk_state) == TCP_LISTEN)
		return at;
	at.write_seq = READ_ONCE(tcp_sk(sk)->write_seq);
	at.copied_seq = READ_ONCE(tcp_sk(sk)->copied_seq);
	at.known = 1;
	if (is_tls(sk))
		find_tls(s, has_returned, &at);
	return at;
}

static u8 sent_type(struct msghdr *msg)
{
	struct cmsghdr *cmsg;
	u8 type = TLS_DATA;

	if (msg->msg_control_is_user)
		return RECORD_SKB_TLS_ANY_TYPE;
	for_each_cmsghdr(cmsg, msg)
	{
		if (!CMSG_OK(msg, cmsg))
			return RECORD_SKB_TLS_ANY_TYPE;
		if (cmsg->cmsg_level != SOL_TLS || cmsg->cmsg_type != TLS_SET_RECORD_TYPE)
			continue;
		if (cmsg->cmsg_len < CMSG_LEN(sizeof(type)))
			return RECORD_SKB_TLS_ANY_TYPE;
		type = *(u8 *)CMSG_DATA(cmsg);
	}
	return type == TLS_DATA ? 0 : RECORD_SKB_TLS_CONTROL;
}

/**
 * call_socket_set_message() - note the type of the records that a call of a TLS function moves
 * @s: the socket of the call; @dir is set
 * @message: the struct msghdr of the call
 */
void call_socket_set_message(struct call_socket *s, const void *message)
{
	struct msghdr *msg = (struct msghdr *)message;

	if (!msg->msg_control || !msg->msg_controllen)
		return;
	if (s->dir == RECORD_SKB_DIR_TX) {
		s->tls = sent_type(msg);
		return;
	}
	/*
	 * If the buffer has no room for the type of a record, the kernel returns only records with data. Then
	 * the type is known.
	 */
	if (msg->msg_controllen < CMSG_LEN(sizeof(u8)))
		return;
	if (msg->msg_flags & MSG_CMSG_COMPAT) {
		s->tls = RECORD_SKB_TLS_ANY_TYPE;
		return;
	}
	s->control = msg->msg_control;
	s->user_control = msg->msg_control_is_user;
}
