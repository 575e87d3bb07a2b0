// SPDX-License-Identifier: GPL-2.0
/* filter.c - the programs that say which packets are wanted, from user space's instructions */
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter.h"

/* Not its length, nor what the kernel keeps beside it. */
static bool reads_bytes_only(const struct sock_filter *insns, u16 len)
{
	u16 i;

	for (i = 0; i < len; i++) {
		const u8 class = BPF_CLASS(insns[i].code), mode = BPF_MODE(insns[i].code);

		if (class != BPF_LD && class != BPF_LDX)
			continue;
		if (mode == BPF_LEN || ((mode == BPF_ABS || mode == BPF_IND || mode == BPF_MSH) &&
					(s32)insns[i].k < 0))
			return false;
	}
	return true;
}

/*
 * Whether it looks at nothing that the skb points to: skb->dev may be none, or something else, at points of
 * which the kernel's own sockets never run a filter.
 */
static bool is_safe(const struct sock_filter *insns, u16 len)
{
	u16 i;

	for (i = 0; i < len; i++) {
		if (BPF_CLASS(insns[i].code) != BPF_LD || BPF_MODE(insns[i].code) != BPF_ABS)
			continue;
		switch ((s32)insns[i].k) {
		case SKF_AD_OFF + SKF_AD_IFINDEX:
		case SKF_AD_OFF + SKF_AD_HATYPE:
		case SKF_AD_OFF + SKF_AD_NLATTR:
		case SKF_AD_OFF + SKF_AD_NLATTR_NEST:
		case SKF_AD_OFF + SKF_AD_PAY_OFFSET:
			return false;
		}
	}
	return true;
}

static int create_program(struct bpf_prog **prog, u64 insns, u16 len, bool *bytes_only)
{
	struct sock_fprog_kern fprog = { .len = len };
	size_t size = len * sizeof(struct sock_filter);
	int err;

	if (!len)
		return 0;
	if (len > BPF_MAXINSNS)
		return -EINVAL;
	fprog.filter = memdup_user(u64_to_user_ptr(insns), size);
	if (IS_ERR(fprog.filter))
		return PTR_ERR(fprog.filter);
	if (bytes_only)
		*bytes_only = reads_bytes_only(fprog.filter, len);
	err = is_safe(fprog.filter, len) ? bpf_prog_create(prog, &fprog) : -EINVAL;
	kfree(fprog.filter);
	/* A kernel without the interpreter says so when there is no memory to compile it in. */
	return err == -ENOTSUPP ? -ENOMEM : err;
}

static bool term_is_valid(const struct record_skb_term *term, bool last)
{
	const u32 both = RECORD_SKB_END_SRC | RECORD_SKB_END_DST;
	int i;

	if (term->kind > RECORD_SKB_TERM_IPV6 || term->more > !last || term->reserved ||
	    term->ends & ~both || term->lo > term->hi)
		return false;
	for (i = 0; i < ARRAY_SIZE(term->address); i++)
		if (term->address[i] & ~term->mask[i])
			return false;
	return term->ends || term->kind == RECORD_SKB_TERM_PROTO;
}

/* The first alternatives that are all ports; NULL if there are none. */
static const struct record_skb_term *port_terms(const struct sieve *sieve)
{
	const struct record_skb_term *first = sieve->term, *term;

	for (term = first; term < sieve->term + sieve->nr; term++) {
		if (term->kind != RECORD_SKB_TERM_PORT)
			first = NULL;
		if (!term->more && first)
			return first;
		if (!term->more)
			first = term + 1;
	}
	return NULL;
}

static int create_ports(struct sieve *sieve)
{
	const struct record_skb_term *term = port_terms(sieve);
	struct sieve_ports *ports;
	u32 port;

	if (!term)
		return 0;
	ports = kvzalloc(sizeof(*ports), GFP_KERNEL);
	if (!ports)
		return -ENOMEM;
	for (;; term++) {
		for (port = term->lo; port <= term->hi; port++) {
			if (term->ends & RECORD_SKB_END_SRC)
				__set_bit((__force u16)htons(port), ports->src);
			if (term->ends & RECORD_SKB_END_DST)
				__set_bit((__force u16)htons(port), ports->dst);
		}
		if (!term->more)
			break;
	}
	sieve->ports = ports;
	return 0;
}

static int create_sieve(struct sieve *sieve, const struct record_skb_filter *want)
{
	struct record_skb_term *terms;
	u32 i;

	if (want->nr_terms > RECORD_SKB_MAX_TERMS)
		return -EINVAL;
	if (!want->nr_terms)
		return 0;
	terms = memdup_user(u64_to_user_ptr(want->terms), want->nr_terms * sizeof(*terms));
	if (IS_ERR(terms))
		return PTR_ERR(terms);
	sieve->term = terms;
	for (i = 0; i < want->nr_terms; i++)
		if (!term_is_valid(&terms[i], i == want->nr_terms - 1))
			return -EINVAL;
	sieve->nr = want->nr_terms;
	return create_ports(sieve);
}

/**
 * filter_create() - make the programs
 * @f: set to them; for filter_destroy() if that is how it ends
 * @want: as user space says them
 *
 * Return: 0, or as the documentation of struct record_skb_filter says; then @f is empty.
 */
int filter_create(struct filter *f, const struct record_skb_filter *want)
{
	int err;

	*f = (struct filter){};
	err = create_sieve(&f->sieve, want)				      ?:
		      create_program(&f->raw, want->raw, want->raw_len, NULL) ?:
		      create_program(&f->ll, want->ll, want->ll_len, NULL)    ?:
		      create_program(&f->at_data, want->at_data, want->at_data_len, &f->bytes_only);
	if (err)
		filter_destroy(f);
	return err;
}

static void destroy_program(struct bpf_prog *prog)
{
	if (prog)
		bpf_prog_destroy(prog);
}

/* Nobody runs them any more. */
void filter_destroy(struct filter *f)
{
	destroy_program(f->raw);
	destroy_program(f->ll);
	destroy_program(f->at_data);
	kvfree(f->sieve.ports);
	kfree(f->sieve.term);
	*f = (struct filter){};
}

/*
 * A load relative to SKF_NET_OFF is a call; one from skb->data on is inlined by the JIT. So the bytes from
 * the network header on are shown to the program as a packet of their own, of which no more is set than it
 * looks at. With an index out of the packet, as in udp[udp[4:2] - 30], an offset may be negative: then it
 * looks at where the buffer and the headers begin and end, too.
 */
static bool run_on_bytes(const struct bpf_prog *prog, u8 *from, const u8 *tail)
{
	/* Clearing it, as kernels are configured to do, would take longer than the program. */
	struct sk_buff bytes __attribute__((__uninitialized__));

	if (from >= tail)
		return false;
	bytes.head = bytes.data = from;
	bytes.len = tail - from;
	bytes.data_len = 0;
	bytes.network_header = 0;
	bytes.mac_header = (typeof(bytes.mac_header))~0U;
	skb_set_tail_pointer(&bytes, bytes.len);
	return bpf_prog_run(prog, &bytes);
}

/**
 * filter_run_bytes() - what it says of an IP packet of which there is no skb, if it asks for bytes only
 * @f: the filter, with @bytes_only
 * @from: the packet
 * @len: how long it is
 */
bool filter_run_bytes(const struct filter *f, u8 *from, u32 len)
{
	return run_on_bytes(f->at_data, from, from + len);
}

/**
 * filter_run() - what it says of an IP packet
 * @f: the filter
 * @skb: the packet, not changed
 * @offset: of its network header from skb->data
 *
 * It sees what is in the packet's linear part.
 */
bool filter_run(const struct filter *f, const struct sk_buff *skb, int offset)
{
	if (f->at_data && f->bytes_only)
		return run_on_bytes(f->at_data, skb->data + offset, skb_tail_pointer(skb));
	return f->raw && bpf_prog_run(f->raw, skb);
}
