// SPDX-License-Identifier: GPL-2.0
/* inner.c - find the packet inside a tunnel packet: VXLAN, Geneve, GRE, IPIP and SIT */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/ip.h>

#include "inner.h"

#define PORT_VXLAN     4789
#define PORT_VXLAN_OLD 8472
#define PORT_GENEVE    6081

#define UDP_LEN	   8
#define VXLAN_LEN  8
#define GENEVE_LEN 8
#define GRE_LEN	   4
#define VLAN_LEN   4

/* Bits of the first two bytes of a GRE header: the fields that follow the header, and its version. */
#define GRE_CHECKSUM 0x8000
#define GRE_ROUTING  0x4000
#define GRE_KEY	     0x2000
#define GRE_SEQUENCE 0x1000
#define GRE_VERSION  0x0007

/* Return: true if @n bytes are available at @at. */
static bool has(const u8 *at, const u8 *end, unsigned int n)
{
	return at && at <= end && end - at >= n;
}

static u16 read_u16(const u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Return: the IP packet of this type at @at; NULL if it is of another protocol. */
static const u8 *network_packet(const u8 *at, const u8 *end, u16 type)
{
	if (type == ETH_P_TEB) {
		if (!has(at, end, ETH_HLEN))
			return NULL;
		type = read_u16(at + 2 * ETH_ALEN);
		at += ETH_HLEN;
		if (type == ETH_P_8021Q && has(at, end, VLAN_LEN)) {
			type = read_u16(at + 2);
			at += VLAN_LEN;
		}
	}
	return type == ETH_P_IP || type == ETH_P_IPV6 ? at : NULL;
}

static const u8 *behind_gre(const u8 *at, const u8 *end)
{
	u16 flags;

	if (!has(at, end, GRE_LEN))
		return NULL;
	flags = read_u16(at);
	if (flags & (GRE_ROUTING | GRE_VERSION))
		return NULL;
	return network_packet(at + GRE_LEN +
				      4 * (!!(flags & GRE_CHECKSUM) + !!(flags & GRE_KEY) +
					   !!(flags & GRE_SEQUENCE)),
			      end, read_u16(at + 2));
}

static const u8 *behind_udp(const u8 *at, const u8 *end)
{
	const u8 *tunnel = at + UDP_LEN;

	if (!has(at, end, UDP_LEN + VXLAN_LEN))
		return NULL;
	switch (read_u16(at + 2)) {
	case PORT_VXLAN:
	case PORT_VXLAN_OLD:
		/* The flag tells that the header has a network identifier. */
		return tunnel[0] & 0x08 ? network_packet(tunnel + VXLAN_LEN, end, ETH_P_TEB) : NULL;
	case PORT_GENEVE:
		/* The first byte has the version and the length of the options in words. */
		return tunnel[0] >> 6 ? NULL :
					network_packet(tunnel + GENEVE_LEN + 4 * (tunnel[0] & 0x3f),
						       end, read_u16(tunnel + 2));
	}
	return NULL;
}

static const u8 *behind_ip(const u8 *at, const u8 *end, u8 proto)
{
	switch (proto) {
	case IPPROTO_IPIP:
		return network_packet(at, end, ETH_P_IP);
	case IPPROTO_IPV6:
		return network_packet(at, end, ETH_P_IPV6);
	case IPPROTO_GRE:
		return behind_gre(at, end);
	case IPPROTO_UDP:
		return behind_udp(at, end);
	}
	return NULL;
}

/**
 * inner_packet() - find the packet inside a tunnel packet
 * @at: the IP header of the tunnel packet
 * @end: end of the bytes that can be read
 *
 * Return: the IP header of the inner packet; NULL if it is not found, or if the packet is a fragment
 * or has IPv6 extension headers.
 */
const u8 *inner_packet(const u8 *at, const u8 *end)
{
	const struct iphdr *ih = (const struct iphdr *)at;
	const struct ipv6hdr *ih6 = (const struct ipv6hdr *)at;

	if (has(at, end, sizeof(*ih)) && ih->version == 4 && ih->ihl >= 5 &&
	    !(ih->frag_off & htons(IP_MF | IP_OFFSET)))
		return behind_ip(at + 4 * ih->ihl, end, ih->protocol);
	if (has(at, end, sizeof(*ih6)) && ih6->version == 6)
		return behind_ip(at + sizeof(*ih6), end, ih6->nexthdr);
	return NULL;
}
