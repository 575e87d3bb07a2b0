// SPDX-License-Identifier: GPL-2.0
/* wire_key.c - the parts of a packet that do not change between two hosts, as numbers to compare */
#include <string.h>

#include "hosts/wire_key.h"
#include "model/packet_headers.h"

#define KEY_BYTES 128

static uint16_t be16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

static uint32_t be32(const uint8_t *at)
{
	return (uint32_t)be16(at) << 16 | be16(at + 2);
}

/* The finalizer of MurmurHash3. */
static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 33;
}

static uint64_t hash_bytes(uint64_t h, const uint8_t *data, unsigned int len)
{
	uint64_t word;

	for (unsigned int i = 0; i < len; i += sizeof(word)) {
		word = 0;
		memcpy(&word, data + i, len - i < sizeof(word) ? len - i : sizeof(word));
		h = mix(h ^ word) + 0x9e3779b97f4a7c15u;
	}
	return mix(h ^ len);
}

static uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

struct headers {
	uint8_t *addresses;
	unsigned int addresses_len;
	unsigned int l4; /* offset of the TCP or UDP header, 0 if this packet has neither */
	uint8_t proto;
};

static uint32_t sum_addresses(const struct headers *headers)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < headers->addresses_len; i += 2)
		sum += be16(headers->addresses + i);
	return sum;
}

/*
 * Return: the checksum of the pseudo header. A sent packet has this checksum until the network card adds that
 * of the payload.
 */
static uint16_t pseudo_sum(const struct headers *headers, uint32_t l4_len)
{
	return fold(sum_addresses(headers) + headers->proto + (l4_len >> 16) + (l4_len & 0xffff));
}

/* Clear the fields of the IP header that routers change. Return: false if the header is not complete. */
static bool read_ip(struct headers *headers, struct wire_key *key, uint8_t *data, unsigned int len)
{
	unsigned int header;

	if (len >= 20 && data[0] >> 4 == 4) {
		header = (data[0] & 15) * 4;
		if (header < 20 || header > len)
			return false;
		data[1] = data[8] = data[10] = data[11] = 0;
		key->id = be16(data + 4);
		*headers = (struct headers){ data + 12, 8, header, data[9] };
		/* Only the first fragment has ports. */
		if (be16(data + 6) & 0x1fff)
			headers->l4 = 0;
		return true;
	}
	if (len < 40 || data[0] >> 4 != 6)
		return false;
	data[0] &= 0xf0;
	data[1] &= 0x0f;
	data[7] = 0;
	*headers = (struct headers){ data + 8, 32, 40, data[6] };
	return true;
}

/*
 * Take the checksum from the packet, and remove the addresses and ports from it,
 * because a host with NAT changes them.
 */
static void take_sum(struct wire_key *key, const struct headers *headers, uint8_t *sum,
		     const uint8_t *ports, uint32_t l4_len)
{
	const uint16_t complete = be16(sum);

	key->has_sum = complete && complete != pseudo_sum(headers, l4_len) &&
		       complete != pseudo_sum(headers, 0);
	key->sum = fold(complete + sum_addresses(headers) + be16(ports) + be16(ports + 2));
	/* In ones' complement arithmetic, 0xffff and 0 are the same number. Use 0 for both. */
	if (key->sum == 0xffff)
		key->sum = 0;
	sum[0] = sum[1] = 0;
}

/* Compute the parts of the key that only TCP has. Return: the number of bytes of all headers. */
static unsigned int read_tcp(struct wire_key *key, const struct headers *headers, uint8_t *data,
			     unsigned int len, uint32_t net_len)
{
	uint8_t *tcp = data + headers->l4;
	const unsigned int header = (tcp[12] >> 4) * 4;
	const uint32_t payload = net_len > headers->l4 + header ? net_len - headers->l4 - header :
								  0;

	if (header < 20 || headers->l4 + header > len)
		return len;
	take_sum(key, headers, tcp + 16, tcp, net_len - headers->l4);
	key->is_tcp = true;
	key->is_weak = false;
	key->seq = be32(tcp + 4);
	key->end = key->seq + payload + (tcp[13] & TCP_SYN ? 1 : 0) + (tcp[13] & TCP_FIN ? 1 : 0);
	/*
	 * All segments that a network card makes from a larger one have the same acknowledgement number,
	 * window and options.
	 */
	key->parts = hash_bytes(0, tcp + 8, 4);
	key->parts = hash_bytes(key->parts, tcp + 14, 2);
	key->parts = hash_bytes(key->parts, tcp + 20, header - 20) ^ mix(key->stream);
	key->payload_len = len - headers->l4 - header;
	key->payload = hash_bytes(0, tcp + header, key->payload_len);
	return headers->l4 + header;
}

static bool has_ports(const struct headers *headers, unsigned int len)
{
	return headers->l4 && headers->l4 + 4 <= len &&
	       (headers->proto == PROTO_TCP || headers->proto == PROTO_UDP ||
		headers->proto == PROTO_SCTP);
}

/* Clear the addresses and ports, because @stream of the key has a hash of them. */
static void clear_stream(const struct headers *headers, uint8_t *data, unsigned int len)
{
	if (has_ports(headers, len))
		memset(data + headers->l4, 0, 4);
	memset(headers->addresses, 0, headers->addresses_len);
}

bool wire_key_read(struct wire_key *key, uint16_t ethertype, const uint8_t *data, unsigned int len,
		   uint32_t net_len)
{
	uint8_t bytes[KEY_BYTES];
	struct headers headers;
	unsigned int compared;
	bool is_ip = ethertype == ETHERTYPE_IP || ethertype == ETHERTYPE_IPV6;

	*key = (struct wire_key){ .is_weak = true };
	if (!data || !len)
		return false;
	len = len > net_len ? net_len : len;
	len = len > KEY_BYTES ? KEY_BYTES : len;
	memcpy(bytes, data, len);
	compared = len;
	if (is_ip && !read_ip(&headers, key, bytes, len))
		return false;
	if (is_ip) {
		key->is_weak = !key->id;
		key->stream = hash_bytes(headers.proto, headers.addresses, headers.addresses_len);
		key->has_ports = has_ports(&headers, len);
		if (key->has_ports)
			key->stream = hash_bytes(key->stream, bytes + headers.l4, 4);
		if (headers.l4 && headers.proto == PROTO_TCP && headers.l4 + 20 <= len)
			compared = read_tcp(key, &headers, bytes, len, net_len);
		else if (headers.l4 && headers.proto == PROTO_UDP && headers.l4 + 8 <= len)
			take_sum(key, &headers, bytes + headers.l4 + 6, bytes + headers.l4,
				 net_len - headers.l4);
		clear_stream(&headers, bytes, len);
		if (!key->is_tcp && headers.l4) {
			key->payload_len = len - headers.l4;
			key->payload = hash_bytes(0, bytes + headers.l4, key->payload_len);
		}
	}
	key->whole = hash_bytes((uint64_t)ethertype << 32 | net_len, bytes, compared) ^
		     mix(key->stream);
	return true;
}

uint64_t wire_key_content(const struct wire_key *key)
{
	return key->whole ^ mix(key->stream);
}

void wire_key_translate(struct wire_key *key, uint64_t stream)
{
	key->whole ^= mix(key->stream) ^ mix(stream);
	key->parts ^= mix(key->stream) ^ mix(stream);
	key->stream = stream;
}

bool wire_key_differs(const struct wire_key *a, const struct wire_key *b)
{
	if (a->has_sum && b->has_sum && a->sum != b->sum)
		return true;
	return a->payload_len == b->payload_len && a->payload != b->payload;
}
