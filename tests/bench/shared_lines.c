// SPDX-License-Identifier: GPL-2.0
/*
 * shared_lines.c - a plugin for QEMU that counts on each CPU how often the module's code reads and writes a
 * cache line
 *
 * A program in the guest tells the plugin what to do by writing to addresses that nothing else uses; see enum
 * command and shared_lines.sh. QEMU must run all CPUs of the guest in one thread. The plugin's argument
 * out=FILE names a file. At the end, the plugin appends a line for each cache line to this file: its address,
 * the reads and writes on CPU 0, and the reads and writes on CPU 1.
 */
#include "plugin.h"

/*
 * The guest gives a command by writing to an address. The bits from 44 up are one of these numbers, and the
 * lower 32 bits are the argument.
 */
enum command {
	COMMAND_NONE,
	COMMAND_BEGIN, /* the module's code begins at this address */
	COMMAND_END,   /* the module's code ends at this address */
	COMMAND_COUNT, /* count from now on */
	COMMAND_WRITE, /* write the file and stop counting */
};

#define LINE_SHIFT 6
#define MODULES	   0xffffffff00000000ULL

static struct line {
	uint64_t address;
	uint64_t count[2][2];
} lines[1 << 20];
static uint64_t code_begin, code_end;
static bool counting;

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

static void on_block(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint64_t pc = qemu_plugin_insn_vaddr(insn);

		/*
		 * Count only accesses by the kernel, and the accesses that give a command. Counting all
		 * accesses of programs would take too long.
		 */
		if (pc >= MODULES || is_command(insn))
			qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW, (void *)(uintptr_t)pc);
	}
}
