// SPDX-License-Identifier: GPL-2.0
/*
 * shared_lines.c - a plugin for QEMU: count the cache lines that the module's code reads and writes on each CPU
 *
 * A program in the guest tells the plugin what to do by writing to addresses that nothing else uses; see enum
 * command and shared_lines.sh. The guest must run with one thread for all CPUs. At the end the plugin appends
 * a line for each cache line to the file that is its argument: the address, then the reads and the writes of
 * CPU 0, and the same of CPU 1.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* QEMU's interface for plugins, version 1. Debian has no package with its header. */
typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_MEM_RW = 3 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*cb)(unsigned int cpu, qemu_plugin_meminfo_t info,
						 uint64_t vaddr, void *data),
				      int flags, int rw, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t id,
						      struct qemu_plugin_tb *tb));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

/* Bits 44 to 46 of an address that the guest writes to. The lower 32 bits are an argument. */
enum command {
	COMMAND_NONE,
	COMMAND_BEGIN, /* the module's code begins at this address */
	COMMAND_END,   /* the module's code ends at this address */
	COMMAND_COUNT, /* count from now on */
	COMMAND_WRITE, /* write the file and stop counting */
};

#define COMMAND_SHIFT 44
#define LINE_SHIFT    6
#define MODULES	      0xffffffff00000000ULL

static struct line {
	uint64_t address;
	uint64_t count[2][2];
} lines[1 << 20];
static uint64_t code_begin, code_end;
static bool counting;
static const char *file;

static struct line *find_line(uint64_t address)
{
	uint64_t i = (address * 0x61c8864680b583ebULL) >> 44;

	while (lines[i].address && lines[i].address != address)
		i = (i + 1) % (sizeof(lines) / sizeof(lines[0]));
	lines[i].address = address;
	return &lines[i];
}

static void write_lines(void)
{
	FILE *f = fopen(file, "a");
	size_t i;

	for (i = 0; f && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].address)
			fprintf(f,
				"%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				lines[i].address << LINE_SHIFT, lines[i].count[0][0],
				lines[i].count[0][1], lines[i].count[1][0], lines[i].count[1][1]);
	if (f)
		fclose(f);
	memset(lines, 0, sizeof(lines));
}

static void obey(enum command command, uint32_t argument)
{
	switch (command) {
	case COMMAND_BEGIN:
		code_begin = MODULES | argument;
		break;
	case COMMAND_END:
		code_end = MODULES | argument;
		break;
	case COMMAND_COUNT:
		counting = true;
		break;
	case COMMAND_WRITE:
		counting = false;
		write_lines();
		break;
	default:
		break;
	}
}

static void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *data)
{
	const uint64_t pc = (uint64_t)(uintptr_t)data;

	if (vaddr >> COMMAND_SHIFT && vaddr >> COMMAND_SHIFT <= COMMAND_WRITE) {
		if (qemu_plugin_mem_is_store(info))
			obey(vaddr >> COMMAND_SHIFT, (uint32_t)vaddr);
		return;
	}
	if (counting && pc >= code_begin && pc < code_end && cpu < 2)
		find_line(vaddr >> LINE_SHIFT)->count[cpu][qemu_plugin_mem_is_store(info)]++;
}

/* Return: true for the instruction that plugin_command.c uses. */
static bool is_command(const struct qemu_plugin_insn *insn)
{
	static const uint8_t code[] = { 0xc6, 0x00, 0xa7 };

	return qemu_plugin_insn_size(insn) == sizeof(code) &&
	       !memcmp(qemu_plugin_insn_data(insn), code, sizeof(code));
}

static void on_block(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint64_t pc = qemu_plugin_insn_vaddr(insn);

		/* Counting all accesses of programs would take too long. */
		if (pc >= MODULES || is_command(insn))
			qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW, (void *)(uintptr_t)pc);
	}
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info;
	/* QEMU passes out=NAME. */
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	file = argv[0] + 4;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
	return 0;
}
