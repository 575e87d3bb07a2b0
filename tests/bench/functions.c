// SPDX-License-Identifier: GPL-2.0
/*
 * functions.c - a plugin for QEMU that counts the executed instructions of each block of code
 *
 * plugin_command.c in the guest starts and stops counting by writing to addresses that nothing else uses; see
 * enum command. The guest must have one CPU. The plugin's argument out=FILE names a file. For each executed
 * block, the plugin appends a line to this file: the block's address, and the number of executed
 * instructions.
 */
#include "plugin.h"

/*
 * The guest gives a command by writing to an address. The bits from 44 up of the address are one of these
 * numbers.
 */
enum command {
	COMMAND_NONE,
	COMMAND_COUNT, /* count from now on */
	COMMAND_WRITE, /* write the file and stop counting */
};

#define NR_BLOCKS (1 << 22)

/*
 * A block's key is the address and the length: ftrace changes code, so the same address can get another
 * length.
 */
static struct block {
	uint64_t address;
	uint64_t length;
	uint64_t executed;
} blocks[NR_BLOCKS];
static bool counting;

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
