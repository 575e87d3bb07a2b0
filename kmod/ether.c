// SPDX-License-Identifier: GPL-2.0
/* vlan.c - ask a filter of a frame whose VLAN tag is beside it, not in it */
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/skbuff.h>

#include "vlan.h"

/* What is looked at of a frame: IPv6 and TCP headers with options, and a second tag. */
#define FRAME_LEN	160

/**
 * vlan_run_filter() - what a filter says of a frame as it is on the wire
 * @prog: reads from SKF_LL_OFF on
 * @skb: has an Ethernet header in front of its data, and skb_vlan_tag_present(); not changed
 *
 * The filter is run on a copy of the frame's beginning, with the tag in its place.
 */
unsigned int vlan_run_filter(const struct bpf_prog *prog, const struct sk_buff *skb)
{
	const u8 *mac = skb_mac_header(skb);
	const unsigned int len = min_t(unsigned int, skb_tail_pointer(skb) - mac,
				       FRAME_LEN - VLAN_HLEN);
	struct sk_buff frame;
	u8 buf[FRAME_LEN] __aligned(4);
	struct vlan_hdr *tag = (struct vlan_hdr *)(buf + ETH_HLEN);

	if (len < ETH_HLEN)
		return 0;
	/* Addresses, the tag with its own type in front, and on from the type that was behind them. */
	memcpy(buf, mac, 2 * ETH_ALEN);
	*(__be16 *)(buf + 2 * ETH_ALEN) = skb->vlan_proto;
	tag->h_vlan_TCI = htons(skb_vlan_tag_get(skb));
	memcpy(buf + 2 * ETH_ALEN + VLAN_HLEN, mac + 2 * ETH_ALEN, len - 2 * ETH_ALEN);

	memset(&frame, 0, sizeof(frame));
	frame.head = frame.data = buf;
	frame.len = skb->len + (skb->data - mac) + VLAN_HLEN;
	frame.protocol = skb->vlan_proto;
	frame.pkt_type = skb->pkt_type;
	skb_reset_mac_header(&frame);
	skb_set_network_header(&frame, ETH_HLEN);
	skb_set_tail_pointer(&frame, len + VLAN_HLEN);
	return bpf_prog_run(prog, &frame);
}
