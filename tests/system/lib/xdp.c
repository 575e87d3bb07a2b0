// SPDX-License-Identifier: GPL-2.0
/*
 * xdp.c - attach an XDP program for the UDP packets of one port until this process is killed; see usage_text
 *
 * The XDP program is written as machine words, so the tests need no BPF compiler.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_insn.h"

static const char *const usage_text =
	"usage: xdp generic|native drop|aborted|tx|redirect DEVICE PORT\n";

/* Offsets in an Ethernet frame with IPv4 without options and UDP. */
#define AT_PROTOCOL 23
#define AT_DPORT    36
#define NEEDED	    38

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static void die(const char *what)
{
	fprintf(stderr, "xdp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int load(int action, uint16_t port)
{
	static char log[4096];
	const struct bpf_insn program[] = {
		LOAD(BPF_W, 2, 1, offsetof(struct xdp_md, data)),
		LOAD(BPF_W, 3, 1, offsetof(struct xdp_md, data_end)),
		COPY(4, 2),
		ADD(4, NEEDED),
		SKIP_IF_ABOVE(4, 3, 6),
		LOAD(BPF_B, 5, 2, AT_PROTOCOL),
		SKIP_UNLESS(5, 17, 4),
		LOAD(BPF_H, 5, 2, AT_DPORT),
		SKIP_UNLESS(5, htons(port), 2),
		SET(0, action),
		EXIT(),
		SET(0, XDP_PASS),
		EXIT(),
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(*program),
		.license = (uintptr_t) "GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0) {
		fputs(log, stderr);
		die("the program");
	}
	return fd;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int action;
	} actions[] = {
		{ "drop", XDP_DROP },
		{ "aborted", XDP_ABORTED },
		{ "tx", XDP_TX },
		/* This action is XDP_REDIRECT without a target device, so the redirection fails. */
		{ "redirect", XDP_REDIRECT },
	};
	union bpf_attr attr = { .link_create.attach_type = BPF_XDP };

	if (argc != 5) {
		fputs(usage_text, stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(argv[2], actions[i].name))
			attr.link_create.prog_fd = load(actions[i].action, atoi(argv[4]));
	attr.link_create.target_ifindex = if_nametoindex(argv[3]);
	attr.link_create.flags = strcmp(argv[1], "native") ? XDP_FLAGS_SKB_MODE :
							     XDP_FLAGS_DRV_MODE;
	/* The kernel detaches the program when the last descriptor of the link is closed. */
	if (bpf(BPF_LINK_CREATE, &attr) < 0)
		die(argv[3]);
	puts("attached");
	fflush(stdout);
	return pause();
}
