// SPDX-License-Identifier: GPL-2.0
/*
 * source_line.c - debug information of a function that calls another one in line 77
 *
 * debug-files.sh takes this file's assembly text, replaces FUNCTION by the name of a function, and assembles it with the
 * number of bytes before the call as the symbol "before". So a guest needs no compiler.
 */
#line 70 "net/ipv4/FUNCTION.c"
__attribute__((used)) void FUNCTION(void);
void FUNCTION(void)
{
#line 76
	__asm__ volatile(".skip before");
#line 77
	__asm__ volatile("nop");
#line 78
	__asm__ volatile(".skip 64");
}
