// SPDX-License-Identifier: GPL-2.0
/*
 * others.c - count the calls of a function with BPF, as another user of tracing would do; see usage_text
 *
 * The BPF programs are written as machine words, so the tests need no BPF compiler.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const usage_text =
	"usage: others FUNCTION [again]\n"
	"Count its calls with fentry, fexit, and kprobe-multi and kretprobe-multi where supported. For each\n"
	"line of standard input, print a line for each: its name and its count; then an empty line, as when\n"
	"all count.\n"
	"With \"again\": fexit stays, and fentry is attached and detached until the end of standard input; prints how often.\n";

#define NR_USERS 4

/*
 * Attach fexit before fentry. Some kernels, such as 6.1.192, have only half of the fix 56b3c85e153b ("ftrace:
 * bpf: Fix IPMODIFY + DIRECT in modify_ftrace_direct()"). They switch ftrace off if fexit follows fentry on a
 * function that a live patch or a recording redirects.
 */
static const struct user {
	const char *name;
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
	unsigned int flags;
} users[NR_USERS] = {
	{ "fexit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, 0 },
	{ "fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0 },
	{ "kprobe-multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0 },
	{ "kretprobe-multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI,
	  BPF_F_KPROBE_MULTI_RETURN },
};

static void die(const char *what)
{
	fprintf(stderr, "others: %s: %s\n", what, strerror(errno));
	exit(1);
}

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}

/* Find a function of a module. Return: its type id; 0 if there is none. @fd is set to the module's types. */
static int find_in_modules(const char *function, int *fd)
{
	struct btf *kernel = btf__load_vmlinux_btf(), *module;
	__u32 id = 0, len;
	int type = 0;

	while (type <= 0 && !bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};

		*fd = bpf_btf_get_fd_by_id(id);
		len = sizeof(info);
		if (*fd < 0 || bpf_obj_get_info_by_fd(*fd, &info, &len) || !info.kernel_btf)
			continue;
		module = btf__load_from_kernel_by_id_split(id, kernel);
		type = module ? btf__find_by_name_kind(module, function, BTF_KIND_FUNC) : 0;
		btf__free(module);
	}
	btf__free(kernel);
	return type > 0 ? type : 0;
}

/* Load a BPF program that adds one to the counter of this user in the map. */
static int load(const struct user *user, int map, const char *function)
{
	const struct bpf_insn program[] = {
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_VALUE, 0, map),
		INSN(0, 0, 0, 0, (int)((user - users) * sizeof(__u64))),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 2, 0, BPF_ADD),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = user->attach);

	if (user->type == BPF_PROG_TYPE_TRACING) {
		int id = libbpf_find_vmlinux_btf_id(function, user->attach), btf = 0;

		if (id < 0)
			id = find_in_modules(function, &btf);
		if (!id)
			die(function);
		opts.attach_btf_id = id;
		opts.attach_btf_obj_fd = btf;
	}
	return bpf_prog_load(user->type, "others", "GPL", program,
			     sizeof(program) / sizeof(program[0]), &opts);
}

/* Return: the file descriptor of the link, or -1 if the kernel does not support this kind of BPF program. */
static int attach(const struct user *user, int map, const char *function)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	int program = load(user, map, function);
	int link;

	if (program < 0)
		die(user->name);
	if (user->type == BPF_PROG_TYPE_KPROBE) {
		opts.kprobe_multi.syms = &function;
		opts.kprobe_multi.cnt = 1;
		opts.kprobe_multi.flags = user->flags;
	}
	link = bpf_link_create(program, 0, user->attach, &opts);
	if (link < 0 && errno != EOPNOTSUPP)
		die(user->name);
	close(program);
	return link < 0 ? -1 : link;
}

/* Attach and detach all BPF programs again and again, until standard input ends. */
static void again(int map, const char *function)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned int times = 0;

	attach(&users[0], map, function);
	puts("");
	fflush(stdout);
	for (; !poll(&in, 1, 0); times++)
		close(attach(&users[1], map, function));
	printf("%u\n", times);
}

int main(int argc, char **argv)
{
	bool there[NR_USERS];
	__u64 counts[NR_USERS];
	int map, c;

	if (argc != 2 && (argc != 3 || strcmp(argv[2], "again"))) {
		fputs(usage_text, stderr);
		return 2;
	}
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "counts", sizeof(__u32), sizeof(counts), 1, NULL);
	if (map < 0)
		die("bpf_map_create");
	if (argc == 3) {
		again(map, argv[1]);
		return 0;
	}
	for (int i = 0; i < NR_USERS; i++)
		there[i] = attach(&users[i], map, argv[1]) >= 0;
	puts("");
	fflush(stdout);
	while ((c = getchar()) != EOF) {
		if (c != '\n')
			continue;
		if (bpf_map_lookup_elem(map, &(__u32){ 0 }, counts))
			die("bpf_map_lookup_elem");
		for (int i = 0; i < NR_USERS; i++)
			if (there[i])
				printf("%s %llu\n", users[i].name, (unsigned long long)counts[i]);
		puts("");
		fflush(stdout);
	}
	return 0;
}
