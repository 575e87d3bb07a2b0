#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --on records on client, NAT router and server through ssh, fetches and joins the files, and opens no port
# requires: jq tshark /usr/sbin/sshd nft
# kernels: 6.12 newest
# timeout: 480

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.8.0.254) eth2 --- eth0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hosts.sh"
. "$here/ssh-hosts.sh"

count=200
cd "$OUT"
traffic=$(program traffic)
three_hosts
ip netns exec router nft -f - <<-END
	table ip test {
		chain nat {
			type nat hook postrouting priority srcnat
			oifname eth2 masquerade
		}
		chain forward {
			type filter hook forward priority 0
			udp dport 9000 counter name numbered
		}
		counter numbered { }
	}
END
ssh_hosts client router server
ip netns exec server "$traffic" collect 9000 >collected &
collector=$!
at_exit stop $collector
wait_for "the collector" udp_listening server 9000

# listening: print the ports on which sockets of each namespace listen
listening() {
	local ns
	for ns in client router server; do
		ip netns exec $ns ss -Hlntu | awk -v ns=$ns '$5 !~ /:9000$/ { print ns, $1, $5 }'
	done | sort
}
listening >ports.before
cat >command <<-END
	#!/bin/bash
	# The command must run only while all hosts record.
	ip netns exec client true
	$traffic number 10.8.0.2 9000 $count
	$(declare -f listening)
	listening >$OUT/ports.during
	exit 7
END
chmod +x command
status=0
on_hosts --on client,router,server --shared -o joint.dat -p 9000 -- ./command 2>said || status=$?
cat said
is "$status" 7 "the exit status of the command"
wait $collector || fail "the collector failed"
is "$(cat ports.during)" "$(cat ports.before)" "ports that are open during the recording"
for host in client router server; do
	has "$(cat said)" "^$host: .* matched" "the summary of $host"
	[ -s joint-$host.dat ] || fail "the file of $host is missing"
done
is "$(ls /var/lib/record-skb)" "" "files that remain on the hosts"
has "$(cat said)" "^next: trace-cmd report-skb joint-client.dat joint-router.dat joint-server.dat" "the next command"

forwarded=$(ip netns exec router nft -j list counter ip test numbered | jq '.nftables[1].counter.packets')
[ "$forwarded" -ge "$count" ] || fail "the router forwarded $forwarded packets"
files=(joint-client.dat joint-router.dat joint-server.dat)
trace-cmd report-skb "${files[@]}" --summary --json >summary.json
is "$(jq -r '[.hosts[].name] | join(" ")' summary.json)" "client router server" "the names of the hosts"
trace-cmd report-skb "${files[@]}" --list --columns packet,path,verdict udp port 9000 >list
is "$(grep -c ' client: eth0 > router: eth1 > eth2 > server: eth0 .*delivered .* on server' list)" "$forwarded" "packets with a path over three hosts and NAT"

# A file that exists already must not be replaced.
status=0
on_hosts --on client --shared -o joint.dat -p 9000 2>said </dev/null || status=$?
is "$status" 125 "the exit status if a file exists"
has "$(cat said)" "joint-client.dat exists already" "the message about the file"
