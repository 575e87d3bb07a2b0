#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that are forwarded, sent, bridged, flooded, mirrored, redirected, segmented, translated or in a tunnel have the right verdict, as counters confirm
# requires: nft tc ethtool socat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# tags: long
# timeout: 600

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

# A, the router R and B are as in three_namespaces, and
#
#    ┌──── A ────┐            ┌──────── R ────────┐
#    │  10.7.0.1 vc ──────── rc ┐                 d0 10.78.0.254 fd78::fe   a dummy to forward to
#    │           │            │ br0 ─ d2, d3     d1   for mirrors            │
#    └───────────┘            └──────────────────tun0 10.4.0.254  a program ┘
# Do not create the device dummy0 that the module makes by default.
modprobe dummy numdummies=0
three_namespaces
traffic=$(program traffic)
ip link add vc netns A type veth peer name rc netns R
ip -n A -batch - <<-END
	address add 10.7.0.1/24 dev vc
	link set vc up
	neighbour add 10.7.0.2 lladdr 02:00:00:00:07:02 dev vc
	neighbour add 10.7.0.3 lladdr 02:00:00:00:07:03 dev vc
END
ip -n R -batch - <<-END
	link add d0 type dummy
	link add d1 type dummy
	link add d2 type dummy
	link add d3 type dummy
	link add br0 type bridge
	address add 10.78.0.254/16 dev d0
	address add fd78::fe/64 dev d0 nodad
	link set rc master br0
	link set d2 master br0
	link set d3 master br0
	link set d0 up
	link set d1 up
	link set d2 up
	link set d3 up
	link set rc up
	link set br0 up
	neighbour add 10.78.0.1 lladdr 02:00:00:00:00:78 dev d0
	neighbour add fd78::1 lladdr 02:00:00:00:00:78 dev d0
END
ip netns exec R bridge fdb add 02:00:00:00:07:02 dev d2 master static
modprobe tun
background ip netns exec R socat -u TUN:10.4.0.254/24,tun-name=tun0,up,iff-no-pi "OPEN:$OUT/tun,creat"
tun_is_up() {
	[ -n "$(ip -n R link show tun0 up)" ]
}
wait_for "tun0" tun_is_up
# Make a tunnel from A to B.
ip -n A -batch - <<-END
	link add vxlan0 type vxlan id 42 remote 10.8.0.2 local 10.9.0.1 dstport 4789 dev va
	address add 10.5.0.1/24 dev vxlan0
	link set vxlan0 up
END
ip -n B -batch - <<-END
	link add vxlan0 type vxlan id 42 remote 10.9.0.1 local 10.8.0.2 dstport 4789 dev vb
	address add 10.5.0.2/24 dev vxlan0
	link set vxlan0 up
END
wait_for "the tunnel" in_a ping -c 1 -W 1 10.5.0.2

# R counts packets and translates addresses. It sends packets for port 9305 to port 9306 of B. In packets to
# port 9307, it replaces the source address, which is A's, by its own.
count_port() {
	echo "udp dport $1 counter name c$1"
}
ip netns exec R nft -f - <<-END
	table inet witness {
		counter c9301 { }
		counter c9302 { }
		counter c9303 { }
		counter c9315 { }
		chain forward {
			type filter hook forward priority 0;
			$(count_port 9301)
			$(count_port 9302)
			$(count_port 9315)
		}
		chain out {
			type filter hook output priority 0;
			$(count_port 9303)
		}
	}
	table inet nat {
		chain pre {
			type nat hook prerouting priority dstnat;
			ip daddr 10.9.0.254 tcp dport 9305 dnat ip to 10.8.0.2:9306
		}
		chain post {
			type nat hook postrouting priority srcnat;
			ip protocol tcp tcp dport 9307 masquerade
		}
	}
	table bridge witness {
		counter c9310 { }
		counter c9311 { }
		chain forward {
			type filter hook forward priority 0;
			$(count_port 9310)
			oif d2 $(count_port 9311)
		}
	}
END
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table inet witness {
			counter there9306 { }
			counter back9305 { }
			counter there9307 { }
			counter back9307 { }
			chain in {
				type filter hook input priority 0;
				tcp flags & psh == 0x0 accept
				tcp dport 9306 counter name there9306
				tcp sport 9305 counter name back9305
				tcp dport 9307 counter name there9307
				tcp sport 9307 counter name back9307
			}
		}
	END
done

fate "forwarded" 'udp .*:9301$' 'forwarded d0' 'nft_count R c9301'
fate "forwarded, IPv6" 'udp .*:9302$' 'forwarded d0' 'nft_count R c9302'
fate "forwarded to a program behind tun" 'udp .*:9315$' '(forwarded|sent) tun0' 'nft_count R c9315'
fate "sent" 'udp .*:9303$' 'sent d0' 'nft_count R c9303'
listener B UDP-RECV:9304 "$OUT/9304"
fate "forwarded, and delivered by another" 'udp .*:9304$' delivered 'lines_of "$OUT/9304"'

echo_server B 9306 9307
fate "DNAT: there" 'tcp .* > 10\.9\.0\.254:9305 P\.$' delivered 'nft_count B there9306'
fate "DNAT: back" 'tcp 10\.8\.0\.2:9306 > .* P\.$' delivered 'nft_count A back9305'
fate "masquerade: there" 'tcp 10\.9\.0\.1:.* > 10\.8\.0\.2:9307 P\.$' delivered 'nft_count B there9307'
fate "masquerade: back" 'tcp 10\.8\.0\.2:9307 > 10\.8\.0\.254:.* P\.$' delivered 'nft_count A back9307'

ip netns exec R tc -batch - <<-END
	qdisc add dev ra clsact
	filter add dev ra ingress pref 1 protocol ip flower ip_proto udp dst_port 9308 action mirred egress mirror dev d1
	filter add dev ra ingress pref 2 protocol ip flower ip_proto udp dst_port 9309 action mirred egress redirect dev d1
END
listener B UDP-RECV:9308 "$OUT/9308"
fate "mirrored" 'udp .*:9308$' delivered 'lines_of "$OUT/9308"'
fate "mirrored: both" 'udp .*:9308 copy$' delivered 'lines_of "$OUT/9308"' '(sent|forwarded) d1' 'tc_acted R ra ingress 1'
fate "redirected" 'udp .*:9309$' '(sent|forwarded) d1' 'tc_acted R ra ingress 2'

fate "bridged" 'udp .*:9310$' '(sent|forwarded) d2' 'nft_count R c9310'
fate "flooded" 'udp .*:9311$' '(sent|forwarded) d[23]' 'nft_count R c9311'
fate "flooded: both" 'udp .*:9311 copy$' '(sent|forwarded) d2' 'nft_count R c9311' '(sent|forwarded) d3' 'nft_count R c9311'

# The fragments of this datagram are reassembled only in B.
listener B UDP-RECV:9312 "$OUT/9312"
fate "in fragments" 'udp .*:9312$' delivered 'lines_of "$OUT/9312"'
in_a ethtool -K va tx-udp-segmentation off gso on >/dev/null
listener B UDP-RECV:9313 "$OUT/9313"
datagrams() {
	echo $(($(lines_of "$OUT/9313") / 10))
}
fate "cut into segments" 'udp .*:9313$' delivered datagrams
fate "cut into segments: these" 'udp .*:9313 copy$' copied datagrams delivered 'lines_of "$OUT/9313"'
listener B UDP-RECV:9314 "$OUT/9314"
fate "in a tunnel" 'udp .*:9314$' delivered 'lines_of "$OUT/9314"'

cat >"$OUT/send" <<-'END'
	to() {
		local i
		for i in 1 2 3; do
			echo x >"/dev/udp/$1/$2"
		done
	}
	to 10.78.0.1 9301
	to fd78::1 9302
	to 10.4.0.1 9315
	ip netns exec R bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.78.0.1/9303; done'
	to 10.8.0.2 9304
	to 10.8.0.2 9308
	to 10.8.0.2 9309
	to 10.7.0.2 9310
	to 10.7.0.3 9311
	to 10.5.0.2 9314
	for _ in 1 2 3; do
		printf '%2999s\n' x | socat -u - UDP:10.8.0.2:9312
	done
	# The option 103 is UDP_SEGMENT.
	yes | head -c 20 | socat -u - UDP:10.8.0.2:9313,setsockopt-int=17:103:2
	"$traffic" talk 10.9.0.254 1 9305
	"$traffic" talk 10.8.0.2 1 9307
END
export traffic
expression='portrange 9300-9399'
fates_hold ip netns exec A bash "$OUT/send"
