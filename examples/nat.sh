#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Follow packets through DNAT and a container's bridge: does a published port reach the container, and which way?
#
#    sudo examples/nat.sh PUBLISHED INSIDE SECONDS     of "docker run -p 8080:80", for instance: 8080 80 10
#
# Records the traffic of both ports. A connection is one flow on both sides of the translation. Each packet keeps its
# number on its way through the translation, into the container's namespace (some lines left out):
#
#    PACKET  FLOW                                FLAGS  PATH                                             VERDICT
#         1  tcp 10.9.0.1:44968 > 10.9.0.2:8080  S      vb@host > br0 > vbr > eth0@web                   consumed by tcp_v4_rcv
#         2  tcp 10.6.0.2:80 > 10.9.0.1:44968    S.     eth0@web > vbr@host > br0 > vb                   sent
set -eu

if [ $# != 3 ]; then
	echo "usage: $0 PUBLISHED INSIDE SECONDS" >&2
	exit 2
fi
# Keep the recording, for KernelShark.
work=$(mktemp -d)

trace-cmd record-skb --detail path -o "$work/trace.dat" -p "$1,$2" --until "time=$3s" || exit
echo
trace-cmd report-skb -i "$work/trace.dat" --flow
echo
trace-cmd report-skb -i "$work/trace.dat" --columns packet,flow,flags,path,verdict 2>/dev/null
