/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plugin.h - the parts that the plugins for QEMU have in common
 *
 * A plugin counts while a program runs in the guest. plugin_command.c in the guest tells the plugin what to
 * do, by writing to addresses that nothing else uses. The plugin's argument out=FILE names the file for the
 * results. A plugin includes this header once and defines on_block(), which QEMU calls when it translates a
 * block of code.
 */
#ifndef RECORD_SKB_BENCH_PLUGIN_H
#define RECORD_SKB_BENCH_PLUGIN_H

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
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_MEM_W = 2, QEMU_PLUGIN_MEM_RW = 3 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int cpu, void *data), int flags,
					  void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*cb)(unsigned int cpu, qemu_plugin_meminfo_t info,
						 uint64_t vaddr, void *data),
				      int flags, int rw, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t id,
						      struct qemu_plugin_tb *tb));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

#define COMMAND_SHIFT 44

/* Name of the output file. */
static const char *file;

/* Return: true if @insn is the instruction with which plugin_command.c writes a command. */
static bool is_command(const struct qemu_plugin_insn *insn)
{
	static const uint8_t code[] = { 0xc6, 0x00, 0xa7 };

	return qemu_plugin_insn_size(insn) == sizeof(code) &&
	       !memcmp(qemu_plugin_insn_data(insn), code, sizeof(code));
}

static void on_block(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info;
	/* The only argument of a plugin is out=FILE, the file for the results. */
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	file = argv[0] + 4;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
	return 0;
}

#endif
