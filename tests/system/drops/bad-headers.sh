#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains packets with bad headers, addresses and checksums of IPv4, IPv6, ICMP, UDP and TCP
# requires: nft nstat perl
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"
two_namespaces
fixed_addresses
in_b sysctl -q net.ipv4.conf.vb.drop_unicast_in_l2_multicast=1 net.ipv4.conf.all.accept_source_route=0 \
	net.ipv4.icmp_echo_ignore_broadcasts=1 net.ipv4.conf.all.forwarding=0
ip -n B -batch - <<-'BATCH'
	address add 10.9.1.2/24 dev vb
	address add fd09:1::2/64 dev vb nodad
	route add 10.8.0.0/16 via 10.9.0.1
BATCH
server B 9000

# Linux 6.1 frees all ICMPv6 messages in the same way, accepted or rejected. So a recording cannot show the
# rejected ones.
drops_hold <<'ROWS'
IPv4: version 5            | v4(udp(9201, "x"), version => 5)                          | B IpInHdrErrors | its header is not valid >> ^IpInHdrErrors +[1-9]
IPv4: header length 16     | v4(udp(9202, "x"), ihl => 4)                              | B IpInHdrErrors | its header is not valid >> ^IpInHdrErrors +[1-9]
IPv4: shorter than header  | v4(udp(9203, "x"), len => 16)                             | B IpInHdrErrors | its header is not valid
IPv4: shorter than length  | v4(udp(9204, "x"), len => 100)                            | B IpExtInTruncatedPkts | shorter than they say >> ^IpExtInTruncatedPkts +[1-9]
IPv4: checksum             | v4(udp(9205, "x"), sum => 1)                              | B IpExtInCsumErrors, B IpInHdrErrors | checksum of its IP header >> ^IpExtInCsumErrors +[1-9]
IPv4: half a header        | v4("", cut => 10)                                         | B IpInHdrErrors | its header is not valid
IPv4: options cut off      | v4("", ihl => 15, cut => 24)                              | B IpInHdrErrors | its header is not valid
IPv4: option without end   | v4(udp(9206, "x"), opts => pack("CCCC", 7, 40, 4, 0))     | B IpInHdrErrors | header is not valid >> ^IpInHdrErrors +[1-9]
IPv4: source route         | v4(udp(9207, "x"), opts => pack("CCCa4C", 131, 7, 4, ip("10.9.0.2"), 0)) | - | accept_source_route >> accept_source_route = 0
IPv4: source 127.0.0.1     | v4(udp(9208, "x"), from => "127.0.0.1")                   | - | route_localnet >> conf\.vb\.route_localnet = 0
IPv4: source 0.0.0.0       | v4(udp(9209, "x"), from => "0.0.0.0")                     | - | source is not a valid source address
IPv4: source multicast     | v4(udp(9210, "x"), from => "224.1.1.1")                   | - | source is not a valid source address
IPv4: source broadcast     | v4(udp(9211, "x"), from => "255.255.255.255")             | - | source is not a valid source address
IPv4: source of this host  | v4(udp(9212, "x"), from => "10.9.0.2")                    | - | address of this host >> ^local 10\.9\.0\.2
IPv4: to 127.0.0.1         | v4(udp(9213, "x"), to => "127.0.0.1")                     | - | route_localnet >> conf\.vb\.route_localnet = 0
IPv4: to 0.0.0.0           | v4(udp(9214, "x"), to => "0.0.0.0")                       | - | not a valid destination address
IPv4: not forwarding       | v4(udp(9215, "x"), to => "10.8.0.1")                      | B IpInAddrErrors | does not forward >> conf\.vb\.forwarding = 0
IPv4: broadcast frame      | v4(udp(9216, "x"), dst => "ff:ff:ff:ff:ff:ff")            | - | broadcast frame >> conf\.vb\.drop_unicast_in_l2_multicast = 1
IPv4: multicast not joined | v4(udp(9217, "x"), to => "239.1.1.1", dst => "01:00:5e:01:01:01") | - | not joined its multicast group >> inet +224\.0\.0\.1
IPv4: unknown protocol     | v4("hello", proto => 254)                                 | B IpInUnknownProtos | no protocol
ICMP: checksum             | v4(icmp(8, 0, "1234", sum => 1), proto => 1)              | B IcmpInCsumErrors | ICMP checksum >> ^IcmpInCsumErrors +[1-9]
ICMP: 4 bytes              | v4("\x08\0\0\0", proto => 1)                              | B IcmpInCsumErrors | ICMP checksum >> ^IcmpInCsumErrors +[1-9]
ICMP: type 77              | v4(icmp(77, 0, "1234"), proto => 1)                       | - | no use for its type >> ^IcmpInErrors +[1-9]
ICMP: error without packet | v4(icmp(3, 3, "1234"), proto => 1)                        | - | does not quote a valid packet >> ^IcmpInErrors +[1-9]
ICMP: echo to broadcast    | v4(icmp(8, 0, "1234"), proto => 1, to => "10.9.0.255", dst => "ff:ff:ff:ff:ff:ff") | - | broadcast >> icmp_echo_ignore_broadcasts = 1
ICMP: reply not asked for  | v4(icmp(0, 0, "1234"), proto => 1)                        | B IcmpInEchoReps | no ping socket
IGMP: checksum             | v4(pack("CCna4", 0x11, 0, 1, ip("0.0.0.0")), proto => 2, to => "224.0.0.1", dst => "01:00:5e:00:00:01") | - | IGMP: not valid
IGMP: group not joined     | v4(pack("CCnnn", 0x22, 0, 0xddff, 0, 0), proto => 2, from => "0.0.0.0", to => "224.0.0.22", dst => "01:00:5e:00:00:16") | - | not joined its multicast group >> inet +224\.0\.0\.1
IGMP: report               | v4(pack("CCnnn", 0x22, 0, 0xddff, 0, 0), proto => 2, to => "224.0.0.1", dst => "01:00:5e:00:00:01") | - | such as a report
IPv4: broadcast of this host | v4(udp(9222, "x"), from => "10.9.0.2", to => "255.255.255.255", dst => "ff:ff:ff:ff:ff:ff") | - | source is an address of this host|its source or destination
UDP: length 4              | v4(udp(9218, "x", len => 4))                              | - | length in its UDP header >> ^UdpInErrors +[1-9]
UDP: longer than packet    | v4(udp(9219, "x", len => 100))                            | - | length in its UDP header >> ^UdpInErrors +[1-9]
UDP: half a header         | v4("1234")                                                | - | header that is cut off
UDP: checksum              | v4(udp(9220, "x", sum => 1))                              | B UdpInCsumErrors | UDP checksum >> ^UdpInCsumErrors +[1-9]
UDP: broadcast, no socket  | v4(udp(9221, "x"), to => "10.9.0.255", dst => "ff:ff:ff:ff:ff:ff") | B UdpIgnoredMulti | UDP: (multicast or )?broadcast
TCP: half a header         | tcp(9000, 2, tcut => 10)                                  | - | TCP checksum >> ^TcpInCsumErrors +[1-9]
TCP: data offset 4         | tcp(9000, 2, doff => 4)                                   | - | below 20 bytes >> ^TcpInErrs +[1-9]
TCP: data offset 15        | tcp(9000, 2, doff => 15)                                  | - | before its socket saw it
IPv6: version 7            | udp6(9230, version => 7)                                  | B Ip6InHdrErrors | not 6 >> ^Ip6InHdrErrors +[1-9]
IPv6: shorter than length  | udp6(9231, len => 100)                                    | B Ip6InTruncatedPkts | shorter >> ^Ip6InTruncatedPkts +[1-9]
IPv6: half a header        | v6("", cut => 20)                                         | B Ip6InHdrErrors | its header is not valid >> ^Ip6InHdrErrors +[1-9]
IPv6: source multicast     | udp6(9232, from => "ff02::9")                             | B Ip6InHdrErrors | its header is not valid
IPv6: source ::1           | udp6(9233, from => "::1")                                 | B Ip6InHdrErrors | its header is not valid
IPv6: to ff01::1           | udp6(9234, to => "ff01::1", dst => "33:33:00:00:00:01")   | B Ip6InHdrErrors | its header is not valid
IPv6: unknown protocol     | v6("hello", next => 254)                                  | B Ip6InUnknownProtos | no protocol
IPv6: hop-by-hop cut off   | v6("\x11\xff123456", next => 0)                           | B Ip6InHdrErrors | hop-by-hop header is longer
IPv6: hop-by-hop, option   | v6("\x11\x00\x7f\x04\0\0\0\0" . udp(9235, "x"), next => 0)   | B Ip6InHdrErrors | option in an extension header
IPv6: destination option   | v6("\x11\x00\xbf\x04\0\0\0\0" . udp(9236, "x"), next => 60)  | B Ip6InHdrErrors | option in an extension header
IPv6: routing type 9       | v6("\x11\x00\x09\x01\0\0\0\0" . udp(9237, "x"), next => 43)  | B Ip6InHdrErrors | routing header >> accept_source_route = 0
IPv6: fragment of 7 bytes  | v6("\x11\x00\x00\x01\0\0\0\x09" . "1234567", next => 44)     | B Ip6InHdrErrors | fragment header >> ^Ip6(InHdrErrors|ReasmFails) +[1-9]
IPv6: UDP without checksum | v6(udp(9238, "x"))                                        | B Udp6InCsumErrors | .
IPv6: UDP checksum         | v6(udp(9239, "x", sum => 1))                              | B Udp6InCsumErrors | UDP checksum >> ^Udp6InCsumErrors +[1-9]
IPv6: forwarding is off    | udp6(9240, to => "fd08::1")                               | - | forwarding is off >> ipv6\.conf\.all\.forwarding = 0
ICMPv6: checksum           | icmp6(128, 0, "1234", bad => 1)                           | B Icmp6InCsumErrors | checksum
ICMPv6: 2 bytes            | v6("\x80\0", next => 58)                                  | B Icmp6InCsumErrors | checksum
!6.1 NDP: hop limit 64          | icmp6(135, 0, "\0\0\0\0" . ip6a("fd09::2"), hops => 64)   | - | hop limit is not 255
!6.1 NDP: code 1                | icmp6(135, 1, "\0\0\0\0" . ip6a("fd09::2"))               | - | code is not 0
!6.1 NDP: option of length 0    | icmp6(135, 0, "\0\0\0\0" . ip6a("fd09::2") . "\1\0" . "123456") | - | options are not valid
!6.1 NDP: 8 bytes               | icmp6(135, 0, "\0\0\0\0")                                 | - | shorter than they say
ROWS
