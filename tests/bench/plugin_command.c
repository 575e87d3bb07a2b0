// SPDX-License-Identifier: GPL-2.0
/*
 * plugin_command.c - a program in the guest that gives a command to a plugin in the emulator. The program
 * writes to an address, and the plugin takes the command and its argument from this address.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define COMMAND_SHIFT 44
#define PAGE	      4096UL

int main(int argc, char **argv)
{
	uint64_t address;
	char *page;

	if (argc != 3) {
		fprintf(stderr, "usage: plugin_command COMMAND ARGUMENT\n");
		return 2;
	}
	address = strtoull(argv[1], NULL, 0) << COMMAND_SHIFT |
		  (uint32_t)strtoull(argv[2], NULL, 16);
	page = mmap((void *)(address & ~(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (page == MAP_FAILED)
		err(1, "%#lx", (unsigned long)address);
	/* The plugin recognises a command by this instruction; see is_command(). */
	__asm__ volatile("movb $0xa7, (%%rax)" : : "a"(address) : "memory");
	return 0;
}
