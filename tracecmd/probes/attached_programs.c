// SPDX-License-Identifier: GPL-2.0
/*
 * attached_programs.c - attach to the BPF programs of other users, so that the module sees their results
 *
 * This file attaches an fexit program to each BPF program of another user. The fexit program runs when the
 * other program returns. It passes the packet and the result to a helper function of the kernel, which the
 * module observes: see struct record_skb_program. The fexit programs are short, so they are made here
 * instruction by instruction, without a compiler.
 *
 * The helper bpf_skb_output() requires a pointer of the type struct sk_buff *. Programs that handle sockets
 * get no packet. For these, the fexit program passes another pointer of this type, which the module ignores.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/attached_programs.h"
#include "record_skb.h"
#include "text.h"

/* Flags that bpf_skb_output() rejects before it does anything. */
#define INVALID_FLAGS (-1)

/* Maximum number of BPF programs to attach to. The kernel keeps a page of code for each attachment. */
#define MAX_PROGRAMS 256

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}
#define LOAD(d, s, o) INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STORE(o, s)   INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, s, o, 0)
#define COPY(d, s)    INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define SET(d, i)     INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADD(d, i)     INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define CALL(i)	      INSN(BPF_JMP | BPF_CALL, 0, 0, 0, i)
#define NOTHING	      COPY(BPF_REG_1, BPF_REG_1)
#define EXIT()	      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* Two instructions that together set a register to a number of 64 bits. */
#define SET64(d, v)                                                   \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, 0, 0, (int)(uint32_t)(v)), \
		INSN(0, 0, 0, 0, (int)((v) >> 32))
#define SET_MAP(d, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)

/**
 * struct bpf_programs - the BPF programs that this process is attached to
 * @recording: number of the recording, 0 if it is not shared
 * @map: a map without entries, which the helper requires
 * @btf: the kernel's types, NULL while they are not needed
 * @last: id of the last program that was examined
 * @newest: newest id at the end of the last call of bpf_programs_update()
 * @links: file descriptors of the links; a link ends when its descriptor is closed
 * @n: number of elements in @links
 */
struct bpf_programs {
	unsigned int recording;
	int map;
	struct btf *btf;
	uint32_t last;
	uint32_t newest;
	int *links;
	size_t n;
};

/* BPF_PROG_TYPE_NETFILTER, which the headers of Debian 12 do not have. */
#define PROG_TYPE_NETFILTER 32

/* Return true if programs of this type handle skbs or sockets. The module sees XDP programs by itself. */
static bool is_watched(uint32_t type)
{
	switch (type) {
	case BPF_PROG_TYPE_SCHED_CLS:
	case BPF_PROG_TYPE_SCHED_ACT:
	case BPF_PROG_TYPE_SOCKET_FILTER:
	case BPF_PROG_TYPE_CGROUP_SKB:
	case BPF_PROG_TYPE_CGROUP_SOCK:
	case BPF_PROG_TYPE_CGROUP_SOCK_ADDR:
	case BPF_PROG_TYPE_LWT_IN:
	case BPF_PROG_TYPE_LWT_OUT:
	case BPF_PROG_TYPE_LWT_XMIT:
	case BPF_PROG_TYPE_LWT_SEG6LOCAL:
	case BPF_PROG_TYPE_SK_SKB:
	case BPF_PROG_TYPE_SK_MSG:
	case BPF_PROG_TYPE_SK_LOOKUP:
	case BPF_PROG_TYPE_SK_REUSEPORT:
	case PROG_TYPE_NETFILTER:
		return true;
	default:
		return false;
	}
}

/* Return the offset of a member in a structure of the kernel; -1 if the offset is unknown. */
static int offset_of(const struct btf *btf, const char *structure, const char *member)
{
	const int id = btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const char *name;

	for (int i = 0; type && i < btf_vlen(type); i++) {
		name = btf__name_by_offset(btf, btf_members(type)[i].name_off);
		if (name && !strcmp(name, member))
			return (int)btf_member_bit_offset(type, i) / 8;
	}
	return -1;
}

/*
 * Return the offset in struct sock of the pointer to the first skb of the backlog; -1 if the offset is
 * unknown.
 */
static int backlog_offset(const struct btf *btf)
{
	/* Before this pointer, the backlog has a counter and a length of four bytes each. */
	enum { HEAD = 8 };
	const int backlog = offset_of(btf, "sock", "sk_backlog");

	return backlog < 0 ? -1 : backlog + HEAD;
}

/*
 * Find the offsets of the pointers that lead from the context of a BPF program to an skb. Returns the number
 * of offsets; -1 if they are unknown. @btf: the kernel's types, which are read when they are needed for the
 * first time.
 */
static int skb_path(uint32_t type, struct btf **btf, int offsets[2])
{
	if (type == PROG_TYPE_NETFILTER || type == BPF_PROG_TYPE_SK_REUSEPORT) {
		/*
		 * The pointer to the skb is the second member of struct bpf_nf_ctx, and the first of struct
		 * sk_reuseport_kern.
		 */
		offsets[0] = type == PROG_TYPE_NETFILTER ? sizeof(uint64_t) : 0;
		return 1;
	}
	if (type != BPF_PROG_TYPE_SK_MSG && type != BPF_PROG_TYPE_SK_LOOKUP &&
	    type != BPF_PROG_TYPE_CGROUP_SOCK && type != BPF_PROG_TYPE_CGROUP_SOCK_ADDR)
		return 0;
	if (!*btf)
		*btf = btf__load_vmlinux_btf();
	if (libbpf_get_error(*btf)) {
		*btf = NULL;
		return -1;
	}
	offsets[0] = type == BPF_PROG_TYPE_SK_MSG      ? offset_of(*btf, "sk_msg", "skb") :
		     type == BPF_PROG_TYPE_CGROUP_SOCK ? backlog_offset(*btf) :
		     type == BPF_PROG_TYPE_SK_LOOKUP   ? offset_of(*btf, "bpf_sk_lookup_kern",
								   "selected_sk") :
							 0;
	offsets[1] = backlog_offset(*btf);
	if (offsets[0] < 0 || offsets[1] < 0)
		return -1;
	return type == BPF_PROG_TYPE_SK_LOOKUP || type == BPF_PROG_TYPE_CGROUP_SOCK_ADDR ? 2 : 1;
}

static uint64_t word_of(const struct record_skb_program *run, size_t offset)
{
	uint64_t word;

	memcpy(&word, (const char *)run + offset, sizeof(word));
	return word;
}

/*
 * Load the fexit program that observes a BPF program.
 * @target: file descriptor of the observed program
 * @function: BTF type of the observed program's function
 * @offsets: offsets of the pointers that lead from the context of the observed program to an skb
 *
 * Returns the file descriptor of the fexit program, or a negative error.
 */
static int load(const struct bpf_programs *programs, int target, uint32_t function,
		const struct record_skb_program *run, const int offsets[2], int nr_offsets)
{
	enum { SIZE = sizeof(*run), WORD = sizeof(uint64_t) };
	const struct bpf_insn insns[] = {
		/*
		 * Load the arguments of the fexit program: the context of the observed program, and its
		 * result.
		 */
		LOAD(BPF_REG_6, BPF_REG_1, 0),
		LOAD(BPF_REG_0, BPF_REG_1, WORD),
		STORE((int)offsetof(struct record_skb_program, result) - SIZE, BPF_REG_0),
		SET64(BPF_REG_0, word_of(run, 0)),
		STORE(0 - SIZE, BPF_REG_0),
		SET64(BPF_REG_0, word_of(run, WORD)),
		STORE(WORD - SIZE, BPF_REG_0),
		SET64(BPF_REG_0, word_of(run, 3 * WORD)),
		STORE(3 * WORD - SIZE, BPF_REG_0),
		SET64(BPF_REG_0, word_of(run, 4 * WORD)),
		STORE(4 * WORD - SIZE, BPF_REG_0),
		SET64(BPF_REG_0, word_of(run, 5 * WORD)),
		STORE(5 * WORD - SIZE, BPF_REG_0),
		STORE(6 * WORD - SIZE, BPF_REG_6),
		COPY(BPF_REG_1, BPF_REG_6),
		nr_offsets > 0 ? (struct bpf_insn)LOAD(BPF_REG_1, BPF_REG_1, offsets[0]) :
				 (struct bpf_insn)NOTHING,
		nr_offsets > 1 ? (struct bpf_insn)LOAD(BPF_REG_1, BPF_REG_1, offsets[1]) :
				 (struct bpf_insn)NOTHING,
		SET_MAP(BPF_REG_2, programs->map),
		SET(BPF_REG_3, INVALID_FLAGS),
		COPY(BPF_REG_4, BPF_REG_10),
		ADD(BPF_REG_4, -SIZE),
		SET(BPF_REG_5, SIZE),
		CALL(BPF_FUNC_skb_output),
		SET(BPF_REG_0, 0),
		EXIT(),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FEXIT,
		    .attach_prog_fd = target, .attach_btf_id = function);

	_Static_assert(sizeof(*run) == 7 * sizeof(uint64_t), "the program stores seven words");
	_Static_assert(offsetof(struct record_skb_program, result) == 2 * sizeof(uint64_t),
		       "the third word is the result");
	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "record_skb", "GPL", insns,
			     sizeof(insns) / sizeof(insns[0]), &opts);
}

/*
 * Attach an fexit program to the BPF program with the file descriptor @target. Returns the file descriptor of
 * the link, or a negative error.
 */
static int attach(struct bpf_programs *programs, int target)
{
	/* A program can have several functions. The kernel calls the first one. */
	struct bpf_func_info function = {};
	struct bpf_prog_info info = {
		.func_info = (uintptr_t)&function,
		.func_info_rec_size = sizeof(function),
		.nr_func_info = 1,
	};
	struct record_skb_program run = { .magic = RECORD_SKB_PROGRAM_MAGIC,
					  .recording = programs->recording };
	uint32_t size = sizeof(info);
	int program, link, offsets[2] = {}, nr_offsets;

	if (bpf_obj_get_info_by_fd(target, &info, &size) || !is_watched(info.type) ||
	    !info.nr_func_info || !function.type_id)
		return -1;
	run.id = info.id;
	run.type = info.type;
	memcpy(run.tag, info.tag, sizeof(run.tag));
	memcpy(run.name, info.name, sizeof(run.name) - 1);
	nr_offsets = skb_path(info.type, &programs->btf, offsets);
	if (nr_offsets < 0)
		return -1;
	program = load(programs, target, function.type_id, &run, offsets, nr_offsets);
	if (program < 0)
		return program;
	link = bpf_raw_tracepoint_open(NULL, program);
	close(program);
	return link;
}

void bpf_programs_update(struct bpf_programs *programs)
{
	uint32_t id = programs->last;
	int target, link;

	while (programs->map >= 0 && programs->n < MAX_PROGRAMS && !bpf_prog_get_next_id(id, &id) &&
	       id <= programs->newest) {
		programs->last = id;
		target = bpf_prog_get_fd_by_id(id);
		if (target < 0)
			continue;
		link = attach(programs, target);
		close(target);
		if (link < 0)
			continue;
		programs->links =
			xrealloc(programs->links, (programs->n + 1) * sizeof(*programs->links));
		programs->links[programs->n++] = link;
	}
	while (!bpf_prog_get_next_id(id, &id))
		;
	programs->newest = id;
}

struct bpf_programs *bpf_programs_attach(unsigned int recording)
{
	struct bpf_programs *programs = xrealloc(NULL, sizeof(*programs));

	*programs = (struct bpf_programs){
		.recording = recording,
		.map = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "record_skb", sizeof(uint32_t),
				      sizeof(uint32_t), 1, NULL),
		.newest = UINT32_MAX,
	};
	bpf_programs_update(programs);
	return programs;
}

void bpf_programs_detach(struct bpf_programs *programs)
{
	if (!programs)
		return;
	for (size_t i = 0; i < programs->n; i++)
		close(programs->links[i]);
	if (programs->map >= 0)
		close(programs->map);
	btf__free(programs->btf);
	free(programs->links);
	free(programs);
}
