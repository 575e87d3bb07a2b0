// SPDX-License-Identifier: GPL-2.0
/* kernel.c - this program stands for a kernel, and is never executed */
const char linux_banner[] __attribute__((used)) = "Linux version 6.1.0-9-test (gcc) #1 SMP";

__attribute__((noinline, noclone)) void kfree_skb_reason(volatile int *skb, int reason)
{
	*skb = reason;
}

static inline __attribute__((always_inline)) void kfree_skb(volatile int *skb)
{
	kfree_skb_reason(skb, 2);
	*skb += 1;
}

/* An inline function, which decides how the packet is freed. */
static inline __attribute__((always_inline)) void check_header(volatile int *skb)
{
	if (*skb > 17) {
		kfree_skb(skb);
		return;
	}
	kfree_skb_reason(skb, 3);
	*skb += 2;
}

__attribute__((noinline, used)) void ip_rcv_finish_core(volatile int *skb)
{
	*skb = 4;
	if (*skb == 5) {
		kfree_skb(skb);
		*skb = 6;
	}
	check_header(skb);
	kfree_skb_reason(skb, 7);
	*skb = 8;
}
