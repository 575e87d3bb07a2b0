// SPDX-License-Identifier: GPL-2.0
/* ether.c - ask a filter of a frame, from its Ethernet header on, as it is on the wire */
#include <linux/filter.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "ether.h"
#include "view.h"

/* What is looked at of a frame that has to be copied: IPv6 and TCP with options, and tags. */
#define FRAME_LEN 160

/*
 * Where the Ethernet header is, NULL if there is none here. On the way out it is in front of the
 * packet from the neighbour's or the driver's own output function on.
 */
static const u8 *ether_header(const struct view *v)
{
	const struct sk_buff *skb = v->skb;

	if (v->point->flags & RECORD_SKB_POINT_NO_DEV || !skb->dev ||
	    skb->dev->type != ARPHRD_ETHER)
		return NULL;
	if (v->point->dir == RECORD_SKB_DIR_TX && skb_network_offset(skb) >= ETH_HLEN)
		return skb->data;
	if (skb_mac_header_was_set(skb) && skb_mac_offset(skb) < 0)
		return skb_mac_header(skb);
	return NULL;
}

/* On a copy of the frame's beginning, with the tag in its place that may be beside the packet. */
static bool run_on_copy(const struct bpf_prog *prog, const struct sk_buff *skb, const u8 *header)
{
	const unsigned int tag = skb_vlan_tag_present(skb) ? VLAN_HLEN : 0;
	const unsigned int len =
		min_t(unsigned int, skb_tail_pointer(skb) - header, FRAME_LEN - tag);
	struct {
		u8 head[FRAME_LEN];
		/* Who asks for what is not in the head looks for fragments here: there are none. */
		struct skb_shared_info info;
	} buf;
	__be16 *type = (__be16 *)(buf.head + 2 * ETH_ALEN);
	struct sk_buff copy;

	if (len < ETH_HLEN)
		return false;
	memcpy(buf.head, header, 2 * ETH_ALEN);
	if (tag) {
		type[0] = skb->vlan_proto;
		type[1] = htons(skb_vlan_tag_get(skb));
	}
	memcpy(buf.head + 2 * ETH_ALEN + tag, header + 2 * ETH_ALEN, len - 2 * ETH_ALEN);

	memset(&copy, 0, sizeof(copy));
	memset(&buf.info, 0, sizeof(buf.info));
	copy.head = copy.data = buf.head;
	copy.end = offsetof(typeof(buf), info);
	copy.len = skb->len + (skb->data - header) + tag;
	copy.data_len = copy.len - (len + tag);
	copy.protocol = type[0];
	copy.pkt_type = skb->pkt_type;
	skb_reset_mac_header(&copy);
	skb_set_network_header(&copy, ETH_HLEN);
	skb_set_tail_pointer(&copy, len + tag);
	return bpf_prog_run(prog, &copy);
}

/**
 * ether_run_filter() - what a filter says of a frame
 * @prog: reads from SKF_LL_OFF on
 * @v: the packet, not changed
 *
 * Return: false too if there is no Ethernet header here.
 */
bool ether_run_filter(const struct bpf_prog *prog, const struct view *v)
{
	const struct sk_buff *skb = v->skb;
	const u8 *header = ether_header(v);

	if (!header)
		return false;
	if (skb_vlan_tag_present(skb) || !skb_mac_header_was_set(skb) ||
	    header != skb_mac_header(skb))
		return run_on_copy(prog, skb, header);
	return bpf_prog_run(prog, skb);
}
