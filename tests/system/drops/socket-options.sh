#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains what a socket refuses: its MD5 key, TTL, filter, queues, address, peer and device
# requires: nft nstat perl
# timeout: 240

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B. The segments come from a host that does not exist, 10.9.0.77.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"

two_namespaces
fixed_addresses
in_b sysctl -q net.ipv4.tcp_syncookies=0
server B 9001
cat >"$OUT/sockets" <<'END'
	use Socket;
	my @keep;
	# on(TYPE, PORT, ADDRESS, [LEVEL, OPTION, VALUE]…): return a socket that is bound to PORT of ADDRESS
	# and has these options
	sub on {
		my ($type, $port, $address, @options) = @_;
		socket my $s, PF_INET, $type, 0 or die;
		setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
		setsockopt $s, $_->[0], $_->[1], $_->[2] or die "option: $!" for @options;
		bind $s, sockaddr_in($port, inet_aton($address)) or die "bind $port: $!";
		push @keep, $s;
		return $s;
	}
	my $program = pack "SCCL", 6, 0, 0, 0;
	my $filter = [SOL_SOCKET, 26, pack "Sx6P", 1, $program];
	# Set an MD5 key for 10.9.0.77, the address from which this test sends segments, with a prefix of 32
	# bits.
	my $key = pack "Sna4x120CCSla80", 2, 0, inet_aton("10.9.0.77"), 0, 0, 3, 0, "key";
	listen on(SOCK_STREAM, 9003, "0.0.0.0", [6, 14, $key]), 9;
	listen on(SOCK_STREAM, 9004, "0.0.0.0", [0, 21, 200]), 9;
	listen on(SOCK_STREAM, 9005, "0.0.0.0", $filter), 9;
	listen on(SOCK_STREAM, 9006, "0.0.0.0"), 1;
	listen on(SOCK_STREAM, 9007, "0.0.0.0"), 0;
	listen on(SOCK_STREAM, 9008, "10.9.0.2", [SOL_SOCKET, 25, "lo\0"]), 9;
	connect on(SOCK_DGRAM, 9301, "0.0.0.0"), sockaddr_in(1, inet_aton("10.9.0.1")) or die;
	on(SOCK_DGRAM, 9302, "127.0.0.1");
	on(SOCK_DGRAM, 9303, "0.0.0.0", [SOL_SOCKET, 25, "lo\0"]);
	on(SOCK_DGRAM, 9304, "0.0.0.0", $filter);
	on(SOCK_DGRAM, 9305, "0.0.0.0", [SOL_SOCKET, SO_RCVBUF, 2304]);
	sleep 1000;
END
background ip netns exec B perl "$OUT/sockets"
wait_for "the sockets" udp_listening B 9305

drops_hold <<'ROWS'
listener: MD5 is missing    | tcp(9003, 2)                                          | B TcpExtTCPMD5NotFound | requires a signature
listener: MD5 is wrong      | tcp(9003, 2, sport => 6005, opts => pack("CCa16CC", 19, 18, "wrong", 1, 1)) | B TcpExtTCPMD5Failure | signature is wrong
listener: MD5 unexpected    | tcp(9001, 2, sport => 6006, opts => pack("CCa16CC", 19, 18, "wrong", 1, 1)) | B TcpExtTCPMD5Unexpected | no key
listener: TTL               | tcp(9004, 2, ttl => 64)                               | B TcpExtTCPMinTTLDrop | IP_MINTTL
listener: filter            | tcp(9005, 2)                                          | - | BPF filter|classic filter
listener: half-open queue   | out(tcp(9006, 2, sport => 6010 + $_)) for 1 .. 8; tcp(9006, 2, sport => 6020) | - | queue
listener: accept queue      | conn(9007); tcp(9007, 2, sport => 6021)               | - | accept queue
listener: other device      | tcp(9008, 2)                                          | - | no socket
UDP: of another peer        | v4(udp(9301, "x"))                                    | - | no socket
UDP: of another address     | v4(udp(9302, "x"))                                    | - | no socket
UDP: of another device      | v4(udp(9303, "x"))                                    | - | no socket
UDP: filter                 | v4(udp(9304, "x"))                                    | - | BPF filter|classic filter
UDP: receive buffer         | out(v4(udp(9305, "x" x 900))) for 1 .. 5; v4(udp(9305, "x" x 900)) | - | receive buffer
ROWS
