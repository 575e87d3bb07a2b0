// SPDX-License-Identifier: GPL-2.0
/* An expression in tcpdump's language as the programs that the module judges packets with. */
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "packet-filter.h"
#include "strlist.h"

#define SNAPLEN		65535

/* What libpcap 1.9 and later say of an expression that is sound, but that no such packet meets. */
#define REJECTS_ALL	"expression rejects all packets"

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
 * The kernel reads at negative offsets from a header, at others from skb->data, which points to
 * another place at each probe point. libpcap's own negative offsets (SKF_AD_OFF, for "inbound")
 * ask for something beside the packet and stay.
 */
static void rebase(struct program *program, const struct bpf_program *from, int base)
{
	program->insns = xrealloc(NULL, from->bf_len * sizeof(*program->insns));
	program->len = from->bf_len;
	for (unsigned int i = 0; i < from->bf_len; i++) {
		const struct bpf_insn *insn = &from->bf_insns[i];

		program->insns[i] = (struct sock_filter) {
			.code = insn->code, .jt = insn->jt, .jf = insn->jf, .k = insn->k,
		};
		if (loads_packet(insn) && (int)insn->k >= 0)
			program->insns[i].k = (__u32)base + insn->k;
	}
}

static void never(struct program *program)
{
	program->insns = xrealloc(NULL, sizeof(*program->insns));
	program->insns[0] = (struct sock_filter) { .code = BPF_RET | BPF_K, .k = 0 };
	program->len = 1;
}

enum verdict { COMPILED, REJECTED_ALL, FAILED };

static enum verdict compile(struct program *program, const char *expression, int linktype, int base,
			    struct err *err)
{
	enum verdict verdict = FAILED;
	struct bpf_program code;
	pcap_t *pcap;

	pcap = pcap_open_dead(linktype, SNAPLEN);
	if (!pcap) {
		err_set(err, "libpcap: out of memory");
		return FAILED;
	}
	if (!pcap_compile(pcap, &code, expression, 1, PCAP_NETMASK_UNKNOWN)) {
		if (code.bf_len > BPF_MAXINSNS) {
			err_set(err, "the filter is too long: %u instructions, and the kernel takes %d",
				code.bf_len, BPF_MAXINSNS);
		} else {
			rebase(program, &code, base);
			verdict = COMPILED;
		}
		pcap_freecode(&code);
	} else if (!strcmp(pcap_geterr(pcap), REJECTS_ALL)) {
		never(program);
		verdict = REJECTED_ALL;
	} else {
		err_set(err, "bad expression '%s': %s", expression, pcap_geterr(pcap));
	}
	pcap_close(pcap);
	return verdict;
}

int packet_filter_compile(struct packet_filter *filter, const char *expression, struct err *err)
{
	enum verdict raw, ll;
	struct err ll_err;

	memset(filter, 0, sizeof(*filter));
	raw = compile(&filter->raw, expression, DLT_RAW, SKF_NET_OFF, err);
	if (raw == COMPILED)
		compile(&filter->at_data, expression, DLT_RAW, 0, err);
	else if (raw == REJECTED_ALL)
		never(&filter->at_data);
	ll = compile(&filter->ll, expression, DLT_EN10MB, SKF_LL_OFF, &ll_err);
	if (raw == COMPILED || ll == COMPILED)
		return 0;
	packet_filter_free(filter);
	/* Of two complaints that of Ethernet is the one a user of tcpdump knows. */
	if (ll == FAILED)
		*err = ll_err;
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
			.code = from->code, .jt = from->jt, .jf = from->jf, .k = from->k,
		};

		fprintf(out, "%s\n", bpf_image(&insn, i));
	}
}
