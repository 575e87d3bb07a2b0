// SPDX-License-Identifier: GPL-2.0
/*
 * source_line.c - debug information of a function that calls another function in line 77
 *
 * The compiler turns this file into assembly text on the host, so the guest needs no compiler. In the
 * guest, debug-files.sh replaces FUNCTION in the text by the name of a function, and assembles it. The
 * symbol "before" is the number of bytes before the call.
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
