// SPDX-License-Identifier: GPL-2.0
/*
 * test-packet-filter.c - run the BPF programs of the filter on the bytes of packets
 *
 * The interpreter loads bytes as the kernel does. An offset that is based on SKF_LL_OFF or SKF_NET_OFF
 * counts from a header, and all other offsets count from skb->data. In these packets, skb->data does not
 * point to a header. So a load reads wrong bytes if the filter did not rebase its offset.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>

#include "cmocka-all.h"
#include "filter/compile_filter.h"
#include "filter/plain_terms.h"

#define ETHER 14

/**
 * struct packet - a packet, beginning with its Ethernet header
 * @bytes: the bytes of the packet
 * @len: the number of bytes
 * @data: offset of skb->data from the Ethernet header
 */
struct packet {
	unsigned char bytes[256];
	int len;
	int data;
};

static struct packet ether(unsigned short type)
{
	struct packet p = { .bytes = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, type >> 8, type & 255 },
			    .len = ETHER,
			    .data = ETHER + 20 };

	return p;
}

/*
 * Make an IPv4 packet with @words 32-bit words of IP options. The options change the position of the
 * transport header.
 */
static struct packet ipv4(int proto, int sport, int dport, int words, int fragment)
{
	struct packet p = ether(0x0800);
	unsigned char *ip = p.bytes + ETHER, *transport = ip + 20 + 4 * words;

	ip[0] = 0x45 + words;
	ip[3] = 40;
	ip[6] = fragment >> 8;
	ip[7] = fragment & 255;
	ip[9] = proto;
	memcpy(ip + 12, (unsigned char[]){ 10, 0, 0, 1, 10, 0, 0, 2 }, 8);
	memset(ip + 20, 1, 4 * words);
	transport[0] = sport >> 8;
	transport[1] = sport & 255;
	transport[2] = dport >> 8;
	transport[3] = dport & 255;
	p.len = transport + 20 - p.bytes;
	return p;
}

static struct packet ipv6(int proto, int sport, int dport)
{
	struct packet p = ether(0x86dd);
	unsigned char *ip = p.bytes + ETHER, *transport = ip + 40;

	ip[0] = 0x60;
	ip[6] = proto;
	ip[8] = 0xfe, ip[9] = 0x80, ip[23] = 1;
	ip[24] = 0xfe, ip[25] = 0x80, ip[39] = 2;
	transport[0] = sport >> 8;
	transport[1] = sport & 255;
	transport[2] = dport >> 8;
	transport[3] = dport & 255;
	p.len = transport + 20 - p.bytes;
	return p;
}

/*
 * Load bytes of the packet. Return: false if the kernel could not load them. The program then ends with the
 * result 0.
 */
static bool load(const struct packet *p, int offset, int size, unsigned int *value)
{
	int at;

	if (offset >= 0)
		at = p->data + offset;
	else if (offset >= SKF_NET_OFF)
		at = ETHER + offset - SKF_NET_OFF;
	else if (offset >= SKF_LL_OFF)
		at = offset - SKF_LL_OFF;
	else
		return false;
	if (at < 0 || at + size > p->len)
		return false;
	*value = 0;
	while (size--)
		*value = *value << 8 | p->bytes[at++];
	return true;
}

static unsigned int alu(unsigned short code, unsigned int a, unsigned int b)
{
	switch (BPF_OP(code)) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b ? a / b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_LSH:
		return a << (b & 31);
	case BPF_RSH:
		return a >> (b & 31);
	case BPF_NEG:
		return -a;
	}
	fail_msg("unexpected code %#x", code);
	return 0;
}

static bool jump(unsigned short code, unsigned int a, unsigned int b)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return a == b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JSET:
		return a & b;
	}
	fail_msg("unexpected code %#x", code);
	return false;
}

static bool matches(const struct program *program, const struct packet *p)
{
	unsigned int a = 0, x = 0, value, memory[BPF_MEMWORDS] = { 0 };

	for (int pc = 0; pc < program->len; pc++) {
		const struct sock_filter *insn = &program->insns[pc];
		const unsigned int operand = BPF_SRC(insn->code) == BPF_X ? x : insn->k;
		const int size = BPF_SIZE(insn->code) == BPF_W ? 4 :
				 BPF_SIZE(insn->code) == BPF_H ? 2 :
								 1;

		switch (BPF_CLASS(insn->code)) {
		case BPF_LD:
		case BPF_LDX:
			switch (BPF_MODE(insn->code)) {
			case BPF_ABS:
				if (!load(p, insn->k, size, &value))
					return false;
				break;
			case BPF_IND:
				if (!load(p, insn->k + x, size, &value))
					return false;
				break;
			case BPF_MSH:
				if (!load(p, insn->k, 1, &value))
					return false;
				value = 4 * (value & 15);
				break;
			case BPF_IMM:
				value = insn->k;
				break;
			case BPF_MEM:
				value = memory[insn->k];
				break;
			default:
				value = p->len;
				break;
			}
			*(BPF_CLASS(insn->code) == BPF_LD ? &a : &x) = value;
			break;
		case BPF_ST:
			memory[insn->k] = a;
			break;
		case BPF_STX:
			memory[insn->k] = x;
			break;
		case BPF_ALU:
			a = alu(insn->code, a, operand);
			break;
		case BPF_JMP:
			if (BPF_OP(insn->code) == BPF_JA)
				pc += insn->k;
			else
				pc += jump(insn->code, a, operand) ? insn->jt : insn->jf;
			break;
		case BPF_RET:
			return BPF_RVAL(insn->code) == BPF_A ? a : insn->k;
		case BPF_MISC:
			if (BPF_MISCOP(insn->code) == BPF_TAX)
				x = a;
			else
				a = x;
			break;
		}
	}
	fail_msg("the program does not end with a return");
	return false;
}

static struct packet_filter compile(const char *expression)
{
	struct packet_filter filter;
	struct err err;

	if (packet_filter_compile(&filter, expression, expression, &err))
		fail_msg("%s", err.text);
	return filter;
}

/*
 * Run both rebased programs on the packet. Also run the original program, for which skb->data must be at
 * the network header.
 */
static void assert_verdict(const char *expression, struct packet p, bool expected)
{
	struct packet_filter filter = compile(expression);

	if (matches(&filter.raw, &p) != expected)
		fail_msg("raw: '%s' %s", expression, expected ? "misses" : "matches");
	if (matches(&filter.ll, &p) != expected)
		fail_msg("ll: '%s' %s", expression, expected ? "misses" : "matches");
	p.data = ETHER;
	if (matches(&filter.at_data, &p) != expected)
		fail_msg("at data: '%s' %s", expression, expected ? "misses" : "matches");
	packet_filter_free(&filter);
}

static void ports_of_both_families(void **state)
{
	(void)state;
	for (int proto = 6; proto <= 17; proto += 11) {
		assert_verdict("port 9000", ipv4(proto, 9000, 5, 0, 0), true);
		assert_verdict("port 9000", ipv4(proto, 5, 9000, 0, 0), true);
		assert_verdict("port 9000", ipv4(proto, 5, 6, 0, 0), false);
		assert_verdict("port 9000", ipv6(proto, 9000, 5), true);
		assert_verdict("port 9000", ipv6(proto, 5, 9000), true);
		assert_verdict("port 9000", ipv6(proto, 5, 6), false);
	}
	assert_verdict("port 9000", ipv4(132, 5, 9000, 0, 0), true);
	assert_verdict("port 9000", ipv4(1, 5, 9000, 0, 0), false);
	assert_verdict("portrange 8000-9000", ipv4(17, 1, 8500, 0, 0), true);
	assert_verdict("dst port 9000", ipv4(17, 9000, 1, 0, 0), false);
}

static void behind_ip_options(void **state)
{
	(void)state;
	/*
	 * These programs load with an offset in the register X (IND), which an earlier instruction (MSH) has
	 * set to the length of the IP header.
	 */
	for (int words = 0; words <= 10; words++) {
		assert_verdict("tcp port 9000", ipv4(6, 5, 9000, words, 0), true);
		assert_verdict("tcp port 9000", ipv4(6, 5, 9001, words, 0), false);
	}
}

static void later_fragments_have_no_ports(void **state)
{
	(void)state;
	assert_verdict("port 9000", ipv4(17, 5, 9000, 0, 0x2000), true);
	assert_verdict("port 9000", ipv4(17, 5, 9000, 0, 0x2001), false);
}

static void addresses(void **state)
{
	(void)state;
	assert_verdict("src host 10.0.0.1", ipv4(17, 1, 2, 0, 0), true);
	assert_verdict("dst host 10.0.0.1", ipv4(17, 1, 2, 0, 0), false);
	assert_verdict("net 10.0.0.0/8", ipv4(17, 1, 2, 0, 0), true);
	assert_verdict("host fe80::2", ipv6(17, 1, 2), true);
	assert_verdict("host fe80::3", ipv6(17, 1, 2), false);
}

static void a_truncated_packet_does_not_match(void **state)
{
	struct packet p = ipv4(6, 5, 9000, 0, 0);

	(void)state;
	for (; p.len > ETHER; p.len--)
		assert_verdict("port 9000", p, p.len >= ETHER + 24);
}

static void arithmetic(void **state)
{
	(void)state;
	assert_verdict("tcp[2:2] & 0xff00 == 0x2300", ipv4(6, 5, 9000, 3, 0), true);
	assert_verdict("ip[2:2] - ((ip[0] & 15) << 2) = 20", ipv4(6, 5, 9000, 0, 0), true);
}

static void what_only_ethernet_has(void **state)
{
	struct packet_filter filter = compile("arp or port 9000");
	struct packet p = ether(0x0806);

	(void)state;
	assert_true(matches(&filter.ll, &p));
	p = ipv4(6, 5, 9000, 0, 0);
	assert_true(matches(&filter.raw, &p));
	packet_filter_free(&filter);

	/* The program for "arp" is valid, but it matches no IP packet. compile() must report this. */
	filter = compile("arp");
	p = ipv4(6, 5, 9000, 0, 0);
	assert_int_equal(filter.raw.len, 1);
	assert_int_equal(filter.at_data.len, 1);
	assert_false(matches(&filter.raw, &p));
	packet_filter_free(&filter);

	/*
	 * This condition needs the Ethernet header. So there is no program for packets without an Ethernet
	 * header. The program for the other packets tests the whole condition.
	 */
	filter = compile("ether host 02:00:00:00:00:02 or port 1");
	assert_int_equal(filter.raw.len, 0);
	assert_int_equal(filter.at_data.len, 0);
	assert_true(matches(&filter.ll, &p));
	packet_filter_free(&filter);
}

/*
 * These conditions must be refused, because some probe points do not have the values. For ifindex, the
 * program would have to follow a pointer.
 */
static void what_is_beside_the_packet(void **state)
{
	struct packet_filter filter;
	struct err err;

	(void)state;
	assert_int_equal(packet_filter_compile(&filter, "inbound and udp", NULL, &err), -1);
	assert_non_null(strstr(err.text, "use --direction"));
	assert_int_equal(packet_filter_compile(&filter, "udp and ifindex 3", NULL, &err), -1);
	assert_non_null(strstr(err.text, "use -i"));
}

static void bad_expressions(void **state)
{
	struct packet_filter filter;
	struct err err;

	(void)state;
	assert_int_equal(packet_filter_compile(&filter, "foo bar", NULL, &err), -1);
	assert_non_null(strstr(err.text, "bad expression 'foo bar'"));
	assert_non_null(strstr(err.text, "syntax error"));
	assert_int_equal(packet_filter_compile(&filter, "tcp and udp", NULL, &err), -1);
	assert_non_null(strstr(err.text, "no packet can match"));
	assert_int_equal(packet_filter_compile(&filter, "port nosuchport", NULL, &err), -1);
	assert_non_null(strstr(err.text, "nosuchport"));
	assert_null(filter.raw.insns);
	assert_null(filter.ll.insns);
}

/* Return: true if a packet meets the terms. All terms must be @plain and must form one group. */
static bool terms_hold(const struct terms *terms, int proto, unsigned int sport, unsigned int dport)
{
	for (size_t i = 0; i < terms->n; i++) {
		const struct record_skb_term *t = &terms->v[i];

		assert_int_equal(t->plain, 1);
		assert_int_equal(t->more, i + 1 < terms->n);
		if (t->kind == RECORD_SKB_TERM_PROTO && t->lo == proto)
			return true;
		if (t->kind == RECORD_SKB_TERM_PORT &&
		    ((t->ends & RECORD_SKB_END_SRC && t->lo <= sport && sport <= t->hi) ||
		     (t->ends & RECORD_SKB_END_DST && t->lo <= dport && dport <= t->hi)))
			return true;
	}
	return !terms->n;
}

/*
 * record-skb derives terms from a program. Each packet that matches the program must also meet these terms.
 */
static void terms_of_programs(void **state)
{
	static const int ports[] = { 0, 1, 52, 53, 54, 80, 1000, 8999, 9000, 9001, 9100, 65535 };
	/* Number of terms that are derived from this program; 0 if none can be. */
	static const struct {
		const char *expression;
		size_t n;
	} programs[] = {
		{ "udp port 9000", 1 },
		{ "port 53 or tcp port 80", 2 },
		{ "src port 53 and dst port 80", 1 },
		{ "portrange 9000-9100", 1 },
		{ "dst portrange 53-80 or src port 9000", 2 },
		{ "not port 9000", 0 },
		{ "tcp", 1 },
		{ "icmp", 1 },
		{ "host 10.0.0.1", 0 },
		{ "host 10.0.0.1 and port 53", 1 },
		{ "udp[2:2] = 53 or tcp[0:2] > 9000", 2 },
		{ "tcp[tcpflags] & tcp-syn != 0 and dst port 80", 1 },
		{ "ip[20:2] = 9000", 1 },
		{ "udp and udp[0:2] & 1 = 0", 1 },
		{ "not tcp and not udp", 1 },
		{ "less 100 and port 1", 1 },
		{ "ip6 and port 53", 1 },
		{ "tcp src port >= 9000", 1 },
	};
	const size_t n = sizeof(ports) / sizeof(ports[0]);

	(void)state;
	for (size_t e = 0; e < sizeof(programs) / sizeof(programs[0]); e++) {
		struct packet_filter filter;
		struct terms terms = { .n = 0 };
		struct err err;

		/* Skip expressions that an older version of libpcap does not know. */
		if (packet_filter_compile(&filter, programs[e].expression, programs[e].expression,
					  &err))
			continue;
		plain_terms_add(&terms, &filter.at_data);
		for (size_t i = 0; i < 4 * n * n; i++) {
			const int proto = i & 1 ? 6 : 17;
			const int sport = ports[i / 4 % n], dport = ports[i / 4 / n];
			struct packet p = i & 2 ? ipv6(proto, sport, dport) :
						  ipv4(proto, sport, dport, 0, 0);

			p.data = ETHER;
			if (matches(&filter.at_data, &p) &&
			    !terms_hold(&terms, proto, sport, dport))
				fail_msg("'%s' loses %d %d > %d", programs[e].expression, proto,
					 sport, dport);
		}
		if (terms.n != programs[e].n)
			fail_msg("'%s' has %zu terms", programs[e].expression, terms.n);
		packet_filter_free(&filter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_of_programs),
		cmocka_unit_test(ports_of_both_families),
		cmocka_unit_test(behind_ip_options),
		cmocka_unit_test(later_fragments_have_no_ports),
		cmocka_unit_test(addresses),
		cmocka_unit_test(a_truncated_packet_does_not_match),
		cmocka_unit_test(arithmetic),
		cmocka_unit_test(what_only_ethernet_has),
		cmocka_unit_test(what_is_beside_the_packet),
		cmocka_unit_test(bad_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
