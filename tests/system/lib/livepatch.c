// SPDX-License-Identifier: GPL-2.0
/*
 * livepatch.c - live patches for tests. Each patch does the same as the function that it replaces, and counts
 * the calls.
 *
 * The parameter "function" selects the function to patch. /sys/module/livepatch/parameters/calls has the
 * number of calls.
 */
#include <linux/file.h>
#include <linux/filter.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/skbuff.h>
#include <net/dst.h>
#include <net/sock.h>

static unsigned int calls;
module_param(calls, uint, 0444);
static char *function = "";
module_param(function, charp, 0444);

static struct socket *live_sockfd_lookup(int fd, int *err)
{
	struct file *file = fget(fd);
	struct socket *sock;

	WRITE_ONCE(calls, calls + 1);
	*err = -EBADF;
	if (!file)
		return NULL;
	sock = sock_from_file(file);
	if (!sock) {
		*err = -ENOTSOCK;
		fput(file);
	}
	return sock;
}

static void live_skb_release_head_state(struct sk_buff *skb)
{
	WRITE_ONCE(calls, calls + 1);
	skb_dst_drop(skb);
	if (skb->destructor)
		skb->destructor(skb);
	nf_conntrack_put(skb_nfct(skb));
	skb_ext_put(skb);
}

static void live_skb_free_datagram(struct sock *sk, struct sk_buff *skb)
{
	WRITE_ONCE(calls, calls + 1);
	consume_skb(skb);
}

static int arp_goes_out(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return dev_queue_xmit(skb);
}

static void live_arp_xmit(struct sk_buff *skb)
{
	WRITE_ONCE(calls, calls + 1);
	NF_HOOK(NFPROTO_ARP, NF_ARP_OUT, dev_net(skb->dev), NULL, skb, NULL, skb->dev,
		arp_goes_out);
}

static int live_taken(struct sock *sk, struct sk_buff *skb)
{
	WRITE_ONCE(calls, calls + 1);
	return sk_filter(sk, skb) ?: __sock_queue_rcv_skb(sk, skb);
}

/*
 * Up to Linux 6.x, sock_queue_rcv_skb_reason() stores the drop reason through a pointer. From 7.0 on, it
 * returns the reason. Remove this variant when no Linux 6.x is supported any more.
 */
static int live_reason_by_pointer(struct sock *sk, struct sk_buff *skb,
				  enum skb_drop_reason *reason)
{
	const int err = live_taken(sk, skb);

	if (reason)
		*reason = err ? SKB_DROP_REASON_SOCKET_RCVBUFF : SKB_NOT_DROPPED_YET;
	return err;
}

static enum skb_drop_reason live_reason_returned(struct sock *sk, struct sk_buff *skb)
{
	return live_taken(sk, skb) ? SKB_DROP_REASON_SOCKET_RCVBUFF : SKB_NOT_DROPPED_YET;
}

/*
 * The kernel does not check that a live patch has the same prototype as the function. So select the variant
 * here, by the function's declaration.
 */
#define REASON_BY_POINTER __same_type(sock_queue_rcv_skb_reason, live_reason_by_pointer)
static_assert(REASON_BY_POINTER || __same_type(sock_queue_rcv_skb_reason, live_reason_returned));

static struct klp_func funcs[] = {
	{ .old_name = "sockfd_lookup", .new_func = live_sockfd_lookup },
	{ .old_name = "skb_release_head_state", .new_func = live_skb_release_head_state },
	{ .old_name = "skb_free_datagram", .new_func = live_skb_free_datagram },
	{ .old_name = "arp_xmit", .new_func = live_arp_xmit },
	{ .old_name = "sock_queue_rcv_skb_reason",
	  .new_func = REASON_BY_POINTER ? (void *)live_reason_by_pointer :
					  (void *)live_reason_returned },
};
/* The function to patch. The second, empty element ends the list. */
static struct klp_func chosen[2];
static struct klp_object objects[] = { { .funcs = chosen }, {} };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init livepatch_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(funcs); i++) {
		if (strcmp(funcs[i].old_name, function))
			continue;
		chosen[0] = funcs[i];
		return klp_enable_patch(&patch);
	}
	return -EINVAL;
}

static void __exit livepatch_exit(void) {}

module_init(livepatch_init);
module_exit(livepatch_exit);

MODULE_DESCRIPTION("Live patches for the system tests of record_skb");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
