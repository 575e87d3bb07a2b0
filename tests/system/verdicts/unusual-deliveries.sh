#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: verdicts of a packet that WireGuard refuses, of TCP Fast Open, and of a connection that is redirected to another port
# requires: curl nft socat wg
# tags: long
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, and the WireGuard tunnel wg0 (10.7.0.1, 10.7.0.11) --- wg0 (10.7.0.2)

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
. "$here/fates.sh"

cd "$OUT"
two_namespaces
in_b nft -f - <<-END
	table ip witness {
		counter redirected { }
		chain in {
			type filter hook input priority 0;
			tcp dport 9425 tcp flags & (syn | ack) == syn counter name redirected
		}
	}
	table ip nat {
		chain pre {
			type nat hook prerouting priority dstnat;
			tcp dport 9424 redirect to :9425
		}
	}
END
wireguard
# B's AllowedIPs do not contain this address, so WireGuard refuses its packets.
ip -n A addr add 10.7.0.11/24 dev wg0
listener B UDP-RECV:9422 "$OUT/9422"
fate "WireGuard" 'udp 10\.7\.0\.1:.*:9422$' delivered 'lines_of "$OUT/9422"'
fate "WireGuard refuses" 'udp 10\.7\.0\.11:.*:9422$' unknown 'in_b cat /sys/class/net/wg0/statistics/rx_errors'

for ns in A B; do
	# Enable TCP Fast Open for clients and for all listeners, without a cookie.
	ip netns exec $ns sysctl -q net.ipv4.tcp_fastopen=0x607
done
background ip netns exec B socat TCP-LISTEN:9423,fork EXEC:cat
wait_for "the server" listening B 9423
fate "TCP Fast Open" 'tcp .*:9423 S$' delivered 'mib B TcpExtTCPFastOpenPassive'

# A rule in B redirects port 9424 to port 9425. The client sends requests to port 9424, so the answers must
# still come from port 9424.
echo_server B 9425
fate "to a port that is redirected: SYN" 'tcp .*:9424 S$' consumed 'nft_count B redirected'

cat >send <<-'END'
	in_a() {
		ip netns exec A "$@"
	}
	echo x | in_a socat -u - UDP:10.7.0.2:9422,bind=10.7.0.1
	echo x | in_a socat -u - UDP:10.7.0.2:9422,bind=10.7.0.11
	echo x | in_a socat -t 1 - TCP:10.9.0.2:9424
	in_a curl -s -m 1 --tcp-fastopen --http0.9 http://10.9.0.2:9423/
	true
END
expression='portrange 9422-9425'
fates_hold timeout 60 bash send
