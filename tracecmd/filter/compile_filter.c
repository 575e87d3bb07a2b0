// SPDX-License-Identifier: GPL-2.0
/* compile_filter.c - compile a filter expression in tcpdump's language to BPF programs for the module */
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filter/compile_filter.h"
#include "text.h"

#define SNAPLEN 65535

/* The error message of libpcap 1.9 and later for a valid expression that no packet can match. */
#define REJECTS_ALL "expression rejects all packets"

static bool loads_packet(const struct bpf_insn *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_LD:
		return BPF_MODE(insn->code) == BPF_ABS || BPF_MODE(insn->code) == BPF_IND;
	case BPF_LDX:
		return BPF_MODE(insn->code) == BPF_MSH;
	default:
		return false;
	}
}

/*
 * If the BPF program reads a value that is not in the packet's data, such as the interface, return an error
 * message; otherwise NULL. These values can differ between the probe points that a packet passes, so they are
 * not supported.
 */
static const char *asks_beside(const struct bpf_program *code)
{
	for (unsigned int i = 0; i < code->bf_len; i++) {
		const struct bpf_insn *insn = &code->bf_insns[i];

		if (BPF_CLASS(insn->code) != BPF_LD || BPF_MODE(insn->code) != BPF_ABS ||
		    (int)insn->k >= 0)
			continue;
		switch ((int)insn->k) {
		case SKF_AD_OFF + SKF_AD_PKTTYPE:
			return "only packet sockets know 'inbound' and 'outbound': use "
			       "--direction";
		case SKF_AD_OFF + SKF_AD_IFINDEX:
			return "'ifindex' is not known at all probe points: use -i";
		default:
			return "it tests a value that is not in the packet, and not known at all "
			       "probe points";
		}
	}
	return NULL;
}

/*
 * Copy a BPF program, and add @base to all offsets from which it loads data of the packet. @base is a large
 * negative number that stands for the beginning of a header. Without @base, the kernel would read relative to
 * skb->data, which points to a different place at each probe point.
 */
static void rebase_loads(struct program *program, const struct bpf_program *from, int base)
{
	program->insns = xrealloc(NULL, from->bf_len * sizeof(*program->insns));
	program->len = from->bf_len;
	for (unsigned int i = 0; i < from->bf_len; i++) {
		const struct bpf_insn *insn = &from->bf_insns[i];

		program->insns[i] = (struct sock_filter){
			.code = insn->code,
			.jt = insn->jt,
			.jf = insn->jf,
			.k = insn->k,
		};
		if (loads_packet(insn) && (int)insn->k >= 0)
			program->insns[i].k = (__u32)base + insn->k;
	}
}

static void make_constant(struct program *program, unsigned int value)
{
	program->insns = xrealloc(program->insns, sizeof(*program->insns));
	program->insns[0] = (struct sock_filter){ .code = BPF_RET | BPF_K, .k = value };
	program->len = 1;
}

enum verdict { COMPILED, REJECTED_ALL, TOO_LONG, FAILED };

/*
 * Compile an expression for packets of @linktype. On failure, set @err to the message of libpcap, or to a
 * message that the program is too long for the kernel.
 */
static enum verdict compile_program(struct program *program, const char *expression, int linktype,
				    int base, struct err *err)
{
	enum verdict verdict = FAILED;
	struct bpf_program code;
	const char *beside;
	pcap_t *pcap;

	pcap = pcap_open_dead(linktype, SNAPLEN);
	if (!pcap) {
		err_set(err, "libpcap: out of memory");
		return FAILED;
	}
	if (!pcap_compile(pcap, &code, expression, 1, PCAP_NETMASK_UNKNOWN)) {
		beside = asks_beside(&code);
		if (beside) {
			err_set(err, "%s", beside);
		} else if (code.bf_len > BPF_MAXINSNS) {
			err_set(err,
				"the filter is too long: it has %u instructions, and the kernel "
				"accepts %d",
				code.bf_len, BPF_MAXINSNS);
			verdict = TOO_LONG;
		} else {
			rebase_loads(program, &code, base);
			verdict = COMPILED;
		}
		pcap_freecode(&code);
	} else if (!strcmp(pcap_geterr(pcap), REJECTS_ALL)) {
		make_constant(program, 0);
		verdict = REJECTED_ALL;
	} else {
		err_set(err, "%s", pcap_geterr(pcap));
	}
	pcap_close(pcap);
	return verdict;
}

/* Return true if the syntax of an expression is valid. */
static bool is_valid_expression(const char *expression)
{
	pcap_t *pcap = pcap_open_dead(DLT_EN10MB, SNAPLEN);
	struct bpf_program code;
	bool good;

	if (!pcap)
		return false;
	good = !pcap_compile(pcap, &code, expression, 0, PCAP_NETMASK_UNKNOWN);
	if (good)
		pcap_freecode(&code);
	else /* other errors, such as an unknown host, are not about syntax */
		good = !strstr(pcap_geterr(pcap), "syntax error");
	pcap_close(pcap);
	return good;
}

/*
 * Return true if the text @beginning can be the beginning of a valid expression. To find out, append several
 * endings to the text, and test if the result is valid.
 */
static bool can_go_on(const char *beginning)
{
	static const char *const ends[] = {
		"",	" ip",	 " 1",	    " 1-2", " 10.0.0.1", " host 10.0.0.1", " 0:1:2:3:4:5",
		" = 1", "] = 1", " 1] = 1",
	};
	static const char *const brackets[] = { "", ")", "))", ")))" };
	bool good = false;
	char *whole;

	for (size_t i = 0; !good && i < sizeof(ends) / sizeof(ends[0]); i++) {
		for (size_t k = 0; !good && k < sizeof(brackets) / sizeof(brackets[0]); k++) {
			whole = xasprintf("%s%s%s", beginning, ends[i], brackets[k]);
			good = is_valid_expression(whole);
			free(whole);
		}
	}
	return good;
}

/*
 * Find the word with the syntax error, because libpcap does not report it. This is the first word after which
 * no ending makes the expression valid. Return this word for a message. If there is no such word, return a
 * text that says that something is missing at the end of the expression. Set *@is_none to true if the first
 * word of the expression is wrong.
 */
static char *place_of_error(const char *expression, bool *is_none)
{
	const char *word = expression + strspn(expression, " \t\n"), *end;
	const time_t start = time(NULL);
	char *beginning, *place;
	bool good = true;

	*is_none = true;
	for (; *word; word = end + strspn(end, " \t\n")) {
		end = word + strcspn(word, " \t\n");
		beginning = xasprintf("%.*s", (int)(end - expression), expression);
		/*
		 * Give up after a second: in each attempt, libpcap looks up the names of hosts, which may be
		 * slow.
		 */
		good = time(NULL) > start + 1 || can_go_on(beginning);
		free(beginning);
		if (!good)
			break;
		*is_none = false;
	}
	if (time(NULL) > start + 1)
		return xstrdup("some place");
	if (good)
		return xstrdup("its end, where something is missing");
	place = xasprintf("'%.*s'", (int)(end - word), word);
	return place;
}

static void explain_error(const char *expression, const char *error, bool *is_none, struct err *err)
{
	char *place;

	/*
	 * If the error is not a syntax error, but for example an unknown name, libpcap's message is clear
	 * enough.
	 */
	if (!strstr(error, "syntax error")) {
		err_set(err, "bad expression '%.400s': %s; see pcap-filter(7)", expression, error);
		return;
	}
	place = place_of_error(expression, is_none);
	err_set(err, "bad expression '%.400s': syntax error at %s; see pcap-filter(7)", expression,
		place);
	free(place);
}

int packet_filter_check(const char *expression, bool *is_none, struct err *err)
{
	struct program program = {};
	enum verdict verdict;
	struct err why;

	*is_none = false;
	verdict = compile_program(&program, expression, DLT_EN10MB, SKF_LL_OFF, &why);
	free(program.insns);
	if (verdict != FAILED)
		return 0;
	explain_error(expression, why.text, is_none, err);
	return -1;
}

/*
 * Compile the BPF programs for IP packets from @program, the part of the expression on which the module does
 * not decide. If @program is NULL, make programs that accept every packet. Returns 0 or -1.
 */
static int compile_rest(struct packet_filter *filter, const char *program, struct err *err)
{
	enum verdict verdict;

	if (!program) {
		make_constant(&filter->raw, SNAPLEN);
		make_constant(&filter->at_data, SNAPLEN);
		return 0;
	}
	free(filter->raw.insns);
	filter->raw = (struct program){};
	verdict = compile_program(&filter->raw, program, DLT_RAW, SKF_NET_OFF, err);
	if (verdict == COMPILED)
		verdict = compile_program(&filter->at_data, program, DLT_RAW, 0, err);
	return verdict == COMPILED ? 0 : -1;
}

int packet_filter_compile(struct packet_filter *filter, const char *expression, const char *program,
			  struct err *err)
{
	enum verdict raw, ll;
	struct err ll_err;

	memset(filter, 0, sizeof(*filter));
	raw = compile_program(&filter->raw, expression, DLT_RAW, SKF_NET_OFF, err);
	if (raw == COMPILED) {
		if (compile_rest(filter, program, err)) {
			packet_filter_free(filter);
			return -1;
		}
	} else if (raw == REJECTED_ALL) {
		make_constant(&filter->at_data, 0);
	}
	ll = compile_program(&filter->ll, expression, DLT_EN10MB, SKF_LL_OFF, &ll_err);
	if (raw == COMPILED || ll == COMPILED)
		return 0;
	packet_filter_free(filter);
	/*
	 * Compiling has failed for packets with and without an Ethernet header. Report the error for
	 * Ethernet, as tcpdump does.
	 */
	if (ll == TOO_LONG)
		*err = ll_err;
	else if (ll == FAILED)
		err_set(err, "bad expression '%.400s': %s; see pcap-filter(7)", expression,
			ll_err.text);
	else
		err_set(err, "no packet can match '%s'", expression);
	return -1;
}

void packet_filter_free(struct packet_filter *filter)
{
	free(filter->raw.insns);
	free(filter->ll.insns);
	free(filter->at_data.insns);
	memset(filter, 0, sizeof(*filter));
}

bool program_matches_nothing(const struct program *program)
{
	return !program->len || (program->len == 1 && program->insns[0].code == (BPF_RET | BPF_K) &&
				 !program->insns[0].k);
}

void packet_filter_print(FILE *out, const struct program *program)
{
	for (int i = 0; i < program->len; i++) {
		const struct sock_filter *from = &program->insns[i];
		const struct bpf_insn insn = {
			.code = from->code,
			.jt = from->jt,
			.jf = from->jf,
			.k = from->k,
		};

		fprintf(out, "%s\n", bpf_image(&insn, i));
	}
}
