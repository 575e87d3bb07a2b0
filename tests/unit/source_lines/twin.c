// SPDX-License-Identifier: GPL-2.0
/* twin.c - a second function with the name of a function in kernel.c */
static __attribute__((noinline, used)) void ip_rcv_finish_core(volatile int *skb)
{
	*skb = 1;
}
