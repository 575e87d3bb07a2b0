#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Record the same traffic on several hosts, and show their packets together.
#
#    sudo examples/two-hosts.sh record FILE OPTION…      on each host: -p 443, or -- COMMAND
#    scp HOST:FILE .                                     for each host; the recordings belong to root
#    sudo examples/two-hosts.sh show FILE…               on the host with the copies
#
# The files contain the first bytes of each packet, so copy them over an encrypted connection. trace-cmd
# report-skb joins the recordings: a packet that several hosts have is shown once.
#
#    PACKET            TIME  FLOW                                     PATH                             VERDICT
#         1       26.255371  icmp 10.9.0.1 > 10.9.0.2 echo request    client: eth0 > server: eth0      consumed by icmp_rcv on server
set -eu

usage() {
	echo "usage: $0 record FILE OPTION…, or: $0 show FILE…" >&2
	exit 2
}

[ $# -ge 2 ] || usage
what=$1
shift
case $what in
record)
	file=$1
	shift
	exec trace-cmd record-skb --detail path -o "$file" "$@"
	;;
show)
	exec trace-cmd report-skb "$@" --list
	;;
*) usage ;;
esac
