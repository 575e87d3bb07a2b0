#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains what TCP refuses: flags, sequence numbers, timestamps and states of a connection
# requires: nft nstat perl
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B. The segments come from a host that does not exist, 10.9.0.77.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"

two_namespaces
fixed_addresses
in_b sysctl -q net.ipv4.tcp_syncookies=0 net.ipv4.tcp_invalid_ratelimit=0
server B 9001
# This server reads some data of each connection, and closes it.
background ip netns exec B perl -MSocket -e '
	socket my $s, PF_INET, SOCK_STREAM, 0;
	setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
	bind $s, sockaddr_in(9009, INADDR_ANY) or die;
	listen $s, 9;
	while (accept my $c, $s) {
		sysread $c, my $data, 100;
		close $c;
	}'
wait_for "the server that closes" listening B 9009

drops_hold <<'ROWS'
listener: no flags          | tcp(9001, 0)                                          | - | flags
listener: SYN and FIN       | tcp(9001, 3)                                          | - | flags
listener: SYN and RST       | tcp(9001, 6)                                          | - | reset that TCP ignores
listener: ACK               | tcp(9001, 16, sport => 6003)                          | - | flags|state
listener: RST               | tcp(9001, 4, sport => 6004)                           | - | reset that TCP ignores
no listener: SYN            | tcp(9002, 2)                                          | - | no socket
no listener: ACK            | tcp(9002, 16)                                         | - | no socket
no listener: RST            | tcp(9002, 4)                                          | - | no socket
half-open: wrong ACK        | my %c = conn(9001, half => 1); tcp(9001, 16, %c, ack => $c{ack} + 9) | - | flags|state
half-open: wrong sequence   | my %c = conn(9001, half => 1); tcp(9001, 16, %c, seq => 5) | - | numbers of the packet do not fit|window
half-open: no ACK           | my %c = conn(9001, half => 1); tcp(9001, 8, %c)       | - | flags or numbers
open: beyond the window     | my %c = conn(9001); tcp(9001, 24, %c, seq => 99999999, data => "x") | - | window
open: old sequence          | my %c = conn(9001); tcp(9001, 24, %c, seq => 9000, data => "x") | - | sequence number
open: the same data         | my %c = conn(9001); out(tcp(9001, 24, %c, data => "abc")); tcp(9001, 24, %c, data => "abc") | - | had been received
open: out of order, twice   | my %c = conn(9001); out(tcp(9001, 24, %c, seq => 10010, data => "abc")); tcp(9001, 24, %c, seq => 10010, data => "abc") | - | had been received|has the same data
open: ACK of unsent data    | my %c = conn(9001); tcp(9001, 24, %c, ack => $c{ack} + 99999, data => "x") | - | data that was not sent
open: ACK far too old       | my %c = conn(9001); tcp(9001, 24, %c, ack => ($c{ack} - 9e7) & 0xffffffff, data => "x") | - | acknowledge
open: no flags              | my %c = conn(9001); tcp(9001, 0, %c, data => "x")     | - | flags
open: SYN                   | my %c = conn(9001); tcp(9001, 2, %c)                  | B TcpExtTCPSYNChallenge | SYN
open: RST before the window | my %c = conn(9001); tcp(9001, 4, %c, seq => 500)      | - | sequence number
open: RST in the window     | my %c = conn(9001); tcp(9001, 4, %c, seq => 10005)    | - | reset that TCP ignores >> ^TcpExtTCPChallengeACK +[1-9]
open: old timestamp         | my %c = conn(9001, ts => 1); tcp(9001, 24, %c, data => "x", opts => stamp(100, $c{ts})) | B TcpExtPAWSEstab | timestamp
open: bad checksum          | my %c = conn(9001); my $f = tcp(9001, 24, %c, data => "x"); substr($f, -1) = "y"; $f | B TcpInCsumErrors | TCP checksum
closed: data                | my %c = conn(9009); out(tcp(9009, 24, %c, data => "x")); answer($c{sport}); nap(0.3); tcp(9009, 24, %c, seq => 10001, data => "late") | B TcpExtTCPAbortOnData | data for a socket that was closed|state >> ^TcpExtTCPAbortOnData +[1-9]
ROWS
