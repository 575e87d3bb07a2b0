// SPDX-License-Identifier: GPL-2.0
/*
 * functions.c - a plugin for QEMU: count the instructions of each block of code
 *
 * plugin_command.c in the guest starts and stops counting by writing to addresses that nothing else uses; see
 * enum command. The guest must have one CPU. For each block that was executed, the plugin appends a line to the
 * file that is its argument: the address, and the number of executed instructions.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* QEMU's interface for plugins, version 1. Debian has no package with its header. */
typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_MEM_W = 2 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*cb)(unsigned int cpu, qemu_plugin_meminfo_t info,
						 uint64_t vaddr, void *data),
				      int flags, int rw, void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int cpu, void *data), int flags,
					  void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t id,
						      struct qemu_plugin_tb *tb));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

/* Bits 44 to 46 of an address that the guest writes to. */
enum command {
	COMMAND_NONE,
	COMMAND_COUNT, /* count from now on */
	COMMAND_WRITE, /* write the file and stop counting */
};

#define COMMAND_SHIFT 44
#define NR_BLOCKS     (1 << 22)

/* QEMU can translate an address again with another length, because ftrace changes code. */
static struct block {
	uint64_t address;
	uint64_t length;
	uint64_t executed;
} blocks[NR_BLOCKS];
static bool counting;
static const char *file;

static struct block *find_block(uint64_t address, uint64_t length)
{
	uint64_t i = ((address ^ length << 56) * 0x61c8864680b583ebULL) >> 42;

	while (blocks[i].length && (blocks[i].address != address || blocks[i].length != length))
		i = (i + 1) % NR_BLOCKS;
	blocks[i].address = address;
	blocks[i].length = length;
	return &blocks[i];
}

static void write_counts(void)
{
	FILE *f = fopen(file, "a");
	size_t i;

	for (i = 0; f && i < NR_BLOCKS; i++) {
		if (blocks[i].executed)
			fprintf(f, "%016" PRIx64 " %" PRIu64 "\n", blocks[i].address,
				blocks[i].executed * blocks[i].length);
		blocks[i].executed = 0;
	}
	if (f)
		fclose(f);
}

static void on_command(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *data)
{
	(void)cpu, (void)info, (void)data;
	if (vaddr >> COMMAND_SHIFT == COMMAND_COUNT)
		counting = true;
	if (vaddr >> COMMAND_SHIFT != COMMAND_WRITE)
		return;
	counting = false;
	write_counts();
}

static void on_execution(unsigned int cpu, void *data)
{
	struct block *block = data;

	(void)cpu;
	block->executed += counting;
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
	const size_t nr = qemu_plugin_tb_n_insns(tb);
	size_t i;

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_execution, QEMU_PLUGIN_CB_NO_REGS,
					     find_block(qemu_plugin_tb_vaddr(tb), nr));
	for (i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (is_command(insn))
			qemu_plugin_register_vcpu_mem_cb(insn, on_command, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_W, NULL);
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
