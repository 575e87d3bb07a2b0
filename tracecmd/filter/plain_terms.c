// SPDX-License-Identifier: GPL-2.0
/*
 * plain_terms.c - find out which ports a plain packet must have so that a BPF program matches it
 *
 * A plain packet has a TCP or UDP header directly after an IP header without options and extension headers.
 *
 * The search follows each path that a plain packet can take through the program. A comparison of a port with
 * a number splits the range of this port between the two branches. At other comparisons, both branches are
 * followed, unless the result is known. If a path ends in a match, the range of ports that is left becomes a
 * term. BPF programs have no loops, so every path ends.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>

#include "filter/plain_terms.h"

#define MAX_PORT 65535
/*
 * Limit for the number of instructions that the search follows. If it is exceeded, there are no terms, and
 * the module has to run the BPF program for every packet.
 */
#define MAX_STEPS 100000

enum kind {
	UNKNOWN,
	NUMBER,
	SOURCE,	     /* the source port */
	DESTINATION, /* the destination port */
	FRAGMENT,    /* the flags and the fragment offset; a plain packet has the offset 0 */
	VERSION_6,   /* the first byte of an IPv6 header; its upper half is 6 */
};

struct value {
	enum kind kind;
	unsigned int number;
};

struct range {
	unsigned int lo, hi;
};

/**
 * struct path - what is known about a plain packet when the program reaches an instruction
 * @at: index of the instruction
 * @a, @x, @mem: contents of the registers and the scratch memory of BPF
 * @ports: ranges of the source port and of the destination port with which a packet gets here
 */
struct path {
	unsigned int at;
	struct value a, x, mem[BPF_MEMWORDS];
	struct range ports[2];
};

/**
 * struct search - the search for all paths through one program
 * @program: the BPF program that is searched
 * @family, @proto: address family and protocol of the plain packets that the search follows now
 * @steps: number of instructions followed so far
 * @terms: the terms found so far
 * @n: number of @terms
 * @failed: true if the search has given up, so that @terms is incomplete
 */
struct search {
	const struct program *program;
	unsigned int family, proto;
	unsigned int steps;
	struct record_skb_term terms[RECORD_SKB_MAX_TERMS];
	size_t n;
	bool failed;
};

static struct value number_value(unsigned int n)
{
	return (struct value){ NUMBER, n };
}

static struct value unknown_value(void)
{
	return (struct value){ UNKNOWN, 0 };
}

static struct value load_value(const struct search *s, unsigned int size, unsigned int offset)
{
	const bool v4 = s->family == AF_INET;
	const unsigned int ports = v4 ? 20 : 40;

	if (size == BPF_B && offset == 0)
		return v4 ? number_value(0x45) : (struct value){ VERSION_6, 0 };
	if (size == BPF_B && offset == (v4 ? 9 : 6))
		return number_value(s->proto);
	if (size == BPF_H && v4 && offset == 6)
		return (struct value){ FRAGMENT, 0 };
	if (size == BPF_H && offset == ports)
		return (struct value){ SOURCE, 0 };
	if (size == BPF_H && offset == ports + 2)
		return (struct value){ DESTINATION, 0 };
	return unknown_value();
}

static struct value load_a(const struct search *s, const struct path *p,
			   const struct sock_filter *insn)
{
	switch (BPF_MODE(insn->code)) {
	case BPF_IMM:
		return number_value(insn->k);
	case BPF_ABS:
		return load_value(s, BPF_SIZE(insn->code), insn->k);
	case BPF_IND:
		return p->x.kind == NUMBER ?
			       load_value(s, BPF_SIZE(insn->code), p->x.number + insn->k) :
			       unknown_value();
	case BPF_MEM:
		return insn->k < BPF_MEMWORDS ? p->mem[insn->k] : unknown_value();
	}
	return unknown_value();
}

static struct value load_x(const struct search *s, const struct path *p,
			   const struct sock_filter *insn)
{
	switch (BPF_MODE(insn->code)) {
	case BPF_IMM:
		return number_value(insn->k);
	case BPF_MEM:
		return insn->k < BPF_MEMWORDS ? p->mem[insn->k] : unknown_value();
	case BPF_MSH:
		return s->family == AF_INET && !insn->k ? number_value(20) : unknown_value();
	}
	return unknown_value();
}

static struct value and_with(struct value a, unsigned int k)
{
	if (a.kind == NUMBER)
		return number_value(a.number & k);
	if (a.kind == FRAGMENT && !(k & ~0x1fffU))
		return number_value(0);
	if (a.kind == VERSION_6 && !(k & 0x0f))
		return number_value(0x60 & k);
	return unknown_value();
}

static struct value operand_value(const struct path *p, const struct sock_filter *insn)
{
	return BPF_SRC(insn->code) == BPF_X ? p->x : number_value(insn->k);
}

static struct value compute_value(const struct path *p, const struct sock_filter *insn)
{
	const struct value by = operand_value(p, insn);

	if (by.kind != NUMBER)
		return unknown_value();
	if (BPF_OP(insn->code) == BPF_AND)
		return and_with(p->a, by.number);
	if (p->a.kind != NUMBER)
		return unknown_value();
	switch (BPF_OP(insn->code)) {
	case BPF_ADD:
		return number_value(p->a.number + by.number);
	case BPF_SUB:
		return number_value(p->a.number - by.number);
	case BPF_OR:
		return number_value(p->a.number | by.number);
	case BPF_LSH:
		return by.number < 32 ? number_value(p->a.number << by.number) : unknown_value();
	case BPF_RSH:
		return by.number < 32 ? number_value(p->a.number >> by.number) : unknown_value();
	}
	return unknown_value();
}

static bool comparison_holds(unsigned int op, unsigned int a, unsigned int k)
{
	switch (op) {
	case BPF_JEQ:
		return a == k;
	case BPF_JGT:
		return a > k;
	case BPF_JGE:
		return a >= k;
	default:
		return a & k;
	}
}

/*
 * Narrow the range @r of a port to the ports for which the comparison with @k has the result @result. Returns
 * false if no port is left.
 */
static bool narrow_range(struct range *r, unsigned int op, unsigned int k, bool result)
{
	if (op == BPF_JGT) {
		/* Handle "greater than k" as "at least k + 1". */
		if (k >= MAX_PORT)
			return !result;
		op = BPF_JGE;
		k++;
	}
	if (op == BPF_JGE) {
		if (result && k > r->lo)
			r->lo = k;
		else if (!result && !k)
			return false;
		else if (!result && k - 1 < r->hi)
			r->hi = k - 1;
	} else if (op == BPF_JEQ && result) {
		if (k < r->lo || k > r->hi)
			return false;
		r->lo = r->hi = k;
	} else if (op == BPF_JEQ) {
		if (r->lo == r->hi && r->lo == k)
			return false;
		if (r->lo == k)
			r->lo++;
		else if (r->hi == k)
			r->hi--;
	}
	return r->lo <= r->hi;
}

static void add_term(struct search *s, struct record_skb_term term)
{
	for (size_t i = 0; i < s->n; i++) {
		struct record_skb_term *one = &s->terms[i];

		if (one->kind == term.kind && one->lo == term.lo && one->hi == term.hi) {
			one->ends |= term.ends;
			return;
		}
	}
	if (s->n == RECORD_SKB_MAX_TERMS)
		s->failed = true;
	else
		s->terms[s->n++] = term;
}

static bool is_any(const struct range *r)
{
	return !r->lo && r->hi == MAX_PORT;
}

/*
 * Add a term for a path that ends in a match. The term demands that the source port or the destination port
 * is in the range of this path, whichever range is smaller. If both ranges have all ports, the term demands
 * only the protocol.
 */
static void add_match(struct search *s, const struct path *p)
{
	const bool destination = p->ports[1].hi - p->ports[1].lo < p->ports[0].hi - p->ports[0].lo;
	const struct range *r = &p->ports[destination];
	struct record_skb_term term = { .kind = RECORD_SKB_TERM_PORT, .plain = 1 };

	if (is_any(r)) {
		term.kind = RECORD_SKB_TERM_PROTO;
		term.lo = s->proto;
		term.hi = s->proto;
	} else {
		term.ends = destination ? RECORD_SKB_END_DST : RECORD_SKB_END_SRC;
		term.lo = r->lo;
		term.hi = r->hi;
	}
	add_term(s, term);
}

static void follow_path(struct search *s, struct path p);

static void follow_branch(struct search *s, const struct path *p, const struct sock_filter *insn)
{
	const unsigned int op = BPF_OP(insn->code);
	const struct value by = operand_value(p, insn);
	const struct value a = op == BPF_JSET && by.kind == NUMBER && p->a.kind != SOURCE &&
					       p->a.kind != DESTINATION ?
				       and_with(p->a, by.number) :
				       p->a;

	for (int result = 0; result < 2; result++) {
		struct path next = *p;

		next.at += result ? insn->jt : insn->jf;
		/*
		 * Skip a branch that this comparison of two known numbers cannot take. For JSET, which tests
		 * bits, the variable a contains only the tested bits.
		 */
		if (by.kind == NUMBER && a.kind == NUMBER &&
		    (op == BPF_JSET ? !!a.number : comparison_holds(op, a.number, by.number)) !=
			    result)
			continue;
		if (by.kind == NUMBER && (a.kind == SOURCE || a.kind == DESTINATION) &&
		    !narrow_range(&next.ports[a.kind == DESTINATION], op, by.number, result))
			continue;
		follow_path(s, next);
	}
}

/*
 * Follow one instruction of a path. Return false if the path ends at this instruction, or if the instruction
 * branches: then all branches have been followed.
 */
static bool follow_instruction(struct search *s, struct path *p, const struct sock_filter *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_LD:
		p->a = load_a(s, p, insn);
		return true;
	case BPF_LDX:
		p->x = load_x(s, p, insn);
		return true;
	case BPF_ST:
	case BPF_STX:
		if (insn->k < BPF_MEMWORDS)
			p->mem[insn->k] = BPF_CLASS(insn->code) == BPF_ST ? p->a : p->x;
		return true;
	case BPF_ALU:
		p->a = compute_value(p, insn);
		return true;
	case BPF_MISC:
		if (BPF_MISCOP(insn->code) == BPF_TAX)
			p->x = p->a;
		else
			p->a = p->x;
		return true;
	case BPF_JMP:
		if (BPF_OP(insn->code) == BPF_JA) {
			p->at += insn->k;
			return true;
		}
		follow_branch(s, p, insn);
		return false;
	default: /* BPF_RET */
		if (BPF_RVAL(insn->code) == BPF_K ? insn->k : p->a.kind != NUMBER || p->a.number)
			add_match(s, p);
		return false;
	}
}

static void follow_path(struct search *s, struct path p)
{
	while (!s->failed) {
		if (p.at >= s->program->len || ++s->steps > MAX_STEPS) {
			s->failed = true;
			return;
		}
		if (!follow_instruction(s, &p, &s->program->insns[p.at++]))
			return;
	}
}

static void follow_all(struct search *s)
{
	static const unsigned int families[] = { AF_INET, AF_INET6 };
	static const unsigned int protocols[] = { IPPROTO_TCP, IPPROTO_UDP };
	const struct path start = { .ports = { { 0, MAX_PORT }, { 0, MAX_PORT } } };

	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < 2; k++) {
			s->family = families[i];
			s->proto = protocols[k];
			follow_path(s, start);
		}
	}
}

/* Return true if the terms match every TCP packet and every UDP packet. Such terms are useless. */
static bool is_any_packet(const struct search *s)
{
	unsigned int protocols = 0;

	for (size_t i = 0; i < s->n; i++)
		protocols += s->terms[i].kind == RECORD_SKB_TERM_PROTO;
	return protocols == 2;
}

void plain_terms_add(struct terms *terms, const struct program *program)
{
	struct search search = { .program = program };

	if (!program->len)
		return;
	follow_all(&search);
	if (search.failed || is_any_packet(&search))
		return;
	if (!search.n)
		search.terms[search.n++] = (struct record_skb_term){
			.kind = RECORD_SKB_TERM_NEVER,
			.plain = 1,
		};
	if (search.n > RECORD_SKB_MAX_TERMS - terms->n)
		return;
	for (size_t i = 0; i < search.n; i++) {
		terms->v[terms->n] = search.terms[i];
		terms->v[terms->n++].more = i + 1 < search.n;
	}
}
