#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains what sockets refuse: TCP flags, sequence numbers, states, MD5, queues, filters, addresses
# requires: nft nstat perl
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B. The segments come from a host that does not exist, 10.9.0.77.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"

two_namespaces
fixed_addresses
in_b sysctl -q net.ipv4.tcp_syncookies=0 net.ipv4.tcp_invalid_ratelimit=0
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
	# Set an MD5 key for connections from 10.9.0.77. This test sends its segments from that address. The
	# prefix has 32 bits, so the key is for this address only.
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
	# The server on port 9009 reads some data of each connection, and closes it.
	listen my $closes = on(SOCK_STREAM, 9009, "0.0.0.0"), 9;
	while (accept my $c, $closes) {
		sysread $c, my $data, 100;
		close $c;
	}
END
background ip netns exec B perl "$OUT/sockets"
wait_for "the sockets" listening B 9009

drops_hold <<'ROWS'
listener: no flags          | tcp(9001, 0)                                          | - | flags
listener: SYN and FIN       | tcp(9001, 3)                                          | - | flags
listener: SYN and RST       | tcp(9001, 6)                                          | - | resets the connection
listener: ACK               | tcp(9001, 16, sport => 6003)                          | - | flags|state
listener: RST               | tcp(9001, 4, sport => 6004)                           | - | resets the connection
listener: MD5 is missing    | tcp(9003, 2)                                          | B TcpExtTCPMD5NotFound | requires a signature
listener: MD5 is wrong      | tcp(9003, 2, sport => 6005, opts => pack("CCa16CC", 19, 18, "wrong", 1, 1)) | B TcpExtTCPMD5Failure | signature is wrong
listener: MD5 unexpected    | tcp(9001, 2, sport => 6006, opts => pack("CCa16CC", 19, 18, "wrong", 1, 1)) | B TcpExtTCPMD5Unexpected | no key
listener: TTL               | tcp(9004, 2, ttl => 64)                               | B TcpExtTCPMinTTLDrop | IP_MINTTL
listener: filter            | tcp(9005, 2)                                          | - | BPF filter
listener: half-open queue   | out(tcp(9006, 2, sport => 6010 + $_)) for 1 .. 8; tcp(9006, 2, sport => 6020) | - | queue
listener: accept queue      | conn(9007); tcp(9007, 2, sport => 6021)               | - | accept queue
listener: other device      | tcp(9008, 2)                                          | - | no socket
no listener: SYN            | tcp(9002, 2)                                          | - | no socket
no listener: ACK            | tcp(9002, 16)                                         | - | no socket
no listener: RST            | tcp(9002, 4)                                          | - | no socket
half-open: wrong ACK        | my %c = conn(9001, half => 1); tcp(9001, 16, %c, ack => $c{ack} + 9) | - | flags|state
half-open: wrong sequence   | my %c = conn(9001, half => 1); tcp(9001, 16, %c, seq => 5) | - | numbers of the packet do not fit|window
half-open: no ACK           | my %c = conn(9001, half => 1); tcp(9001, 8, %c)       | - | flags or numbers
open: beyond the window     | my %c = conn(9001); tcp(9001, 24, %c, seq => 99999999, data => "x") | - | window
open: old sequence          | my %c = conn(9001); tcp(9001, 24, %c, seq => 9000, data => "x") | - | sequence number
open: the same data         | my %c = conn(9001); out(tcp(9001, 24, %c, data => "abc")); tcp(9001, 24, %c, data => "abc") | - | had been received
open: out of order, twice   | my %c = conn(9001); out(tcp(9001, 24, %c, seq => 10010, data => "abc")); tcp(9001, 24, %c, seq => 10010, data => "abc") | - | had been received
open: ACK of unsent data    | my %c = conn(9001); tcp(9001, 24, %c, ack => $c{ack} + 99999, data => "x") | - | acknowledges data that was not sent
open: ACK far too old       | my %c = conn(9001); tcp(9001, 24, %c, ack => ($c{ack} - 9e7) & 0xffffffff, data => "x") | - | acknowledge
open: no flags              | my %c = conn(9001); tcp(9001, 0, %c, data => "x")     | - | flags
open: SYN                   | my %c = conn(9001); tcp(9001, 2, %c)                  | B TcpExtTCPSYNChallenge | SYN
open: RST before the window | my %c = conn(9001); tcp(9001, 4, %c, seq => 500)      | - | sequence number
open: RST in the window     | my %c = conn(9001); tcp(9001, 4, %c, seq => 10005)    | - | resets
open: old timestamp         | my %c = conn(9001, ts => 1); tcp(9001, 24, %c, data => "x", opts => stamp(100, $c{ts})) | B TcpExtPAWSEstab | timestamp
open: bad checksum          | my %c = conn(9001); my $f = tcp(9001, 24, %c, data => "x"); substr($f, -1) = "y"; $f | B TcpInCsumErrors | TCP checksum
closed: data                | my %c = conn(9009); out(tcp(9009, 24, %c, data => "x")); answer($c{sport}); nap(0.3); tcp(9009, 24, %c, seq => 10001, data => "late") | B TcpExtTCPAbortOnData | data for a socket that was closed|state
UDP: of another peer        | v4(udp(9301, "x"))                                    | - | no socket
UDP: of another address     | v4(udp(9302, "x"))                                    | - | no socket
UDP: of another device      | v4(udp(9303, "x"))                                    | - | no socket
UDP: filter                 | v4(udp(9304, "x"))                                    | - | BPF filter
UDP: receive buffer         | out(v4(udp(9305, "x" x 900))) for 1 .. 5; v4(udp(9305, "x" x 900)) | - | receive buffer
ROWS
