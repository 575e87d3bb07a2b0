# SPDX-License-Identifier: GPL-2.0
# Three hosts that are guests of their own, for tests with "# vm: --hosts client,router,server". The test runs on the
# client. See tests/vm/hosts.sh.
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.
#
#    ┌── client ──┐          ┌────────── router ──────────┐          ┌── server ──┐
#    │            │          │ masquerade                 │          │            │
#    │   10.9.0.1 eth0 ──── eth1 10.9.0.254     10.7.0.1 eth2 ──── eth0 10.7.0.2  │
#    │            │          │           10.8.0.254 vxlan0╎          ╎vxlan0 10.8.0.2
#    └────────────┘          └────────────────────────────┘          └────────────┘

shared=/run/hosts
# The path of a page of memory that all guests share. It is a resource of a PCI device, and needs no driver.
page=

# on HOST COMMAND…: run COMMAND on another guest, print its output, and return its exit status
on() {
	local host=$1 status name=$shared/$1/$BASHPID.$EPOCHREALTIME
	shift
	{
		echo 'export OUT=/tmp'
		printf '%q ' "$@"
	} >"$name.new"
	mv "$name.new" "$name.run"
	until [ -e "$name.status" ]; do
		pause 0.1
	done
	cat "$name.out"
	read -r status <"$name.status"
	return "$status"
}

# on_shell HOST: run the commands on standard input
on_shell() {
	on "$1" bash -eu -c "$(cat)"
}

# on_program HOST NAME ARGS…: run one of the test programs on another guest, which may have another kernel
on_program() {
	# shellcheck disable=SC2016 # the guest sets VM_BUILD
	on "$1" bash -c 'exec "$VM_BUILD/programs/$0" "$@"' "${@:2}"
}

# guests_begin: wait until all guests have booted
guests_begin() {
	local host device
	mkdir -p $shared
	mount -t 9p -o trans=virtio,version=9p2000.L,cache=none hosts $shared
	at_exit umount $shared
	for host in router server; do
		wait_for "the guest $host" test -e $shared/$host/ready
	done
	hostname client
	at_exit hostname vm
	for device in /sys/bus/pci/devices/*; do
		[ "$(cat "$device/vendor" "$device/device")" = "0x1af4
0x1110" ] || continue
		page=$device/resource2
	done
	[ -n "$page" ] || fail "there is no shared page"
}

# three_guests: configure the network of the three guests. The end of the test removes this configuration,
# because later tests use the first guest, too.
three_guests() {
	guests_begin
	on_shell server <<-END
		modprobe virtio_net
		ip link set eth0 up
		ip address add 10.7.0.2/24 dev eth0
		ip link add vxlan0 type vxlan id 42 remote 10.7.0.1 dstport 4789 dev eth0
		ip address add 10.8.0.2/24 dev vxlan0
		ip link set vxlan0 up
	END
	on_shell router <<-END
		modprobe virtio_net
		ip link set eth1 name eth2
		ip link set eth0 name eth1
		ip address add 10.9.0.254/24 dev eth1
		ip address add 10.7.0.1/24 dev eth2
		ip link set eth1 up
		ip link set eth2 up
		ip link add vxlan0 type vxlan id 42 remote 10.7.0.2 dstport 4789 dev eth2
		ip address add 10.8.0.254/24 dev vxlan0
		ip link set vxlan0 up
		sysctl -q net.ipv4.ip_forward=1
		nft 'table ip test {
			chain nat {
				type nat hook postrouting priority srcnat
				oifname vxlan0 masquerade
			}
			chain forward {
				type filter hook forward priority 0
				udp dport 9000 counter name numbered
			}
			counter numbered { }
		}'
	END
	modprobe virtio_net
	at_exit modprobe -r virtio_net
	ip link set eth0 up
	ip address add 10.9.0.1/24 dev eth0
	ip route add default via 10.9.0.254
	wait_for "the way from client to server" ping -c 1 -W 1 10.8.0.2
}

# wire N LOST DOUBLED LATE SEED: change the settings of link N. Print four counts of the link so far:
# packets that passed it, and packets that were lost, doubled and late.
wire() {
	local n=$1 said
	shift
	echo "$*" >"$shared/wire$n.set.new"
	mv "$shared/wire$n.set.new" "$shared/wire$n.set"
	wait_for "wire $n" grep -q "^$* " "$shared/wire$n.done"
	said=$(cat "$shared/wire$n.done")
	echo "${said#"$* "}"
}

# peer_clocks HOST: read the clocks of the client and of HOST at the same time. Print five numbers:
# CLOCK_MONOTONIC of the client; CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW and CLOCK_TAI of HOST; and the largest
# possible error.
peer_clocks() {
	# shellcheck disable=SC2016 # the guest sets VM_BUILD
	on "$1" bash -c 'for d in /sys/bus/pci/devices/*; do
		grep -q 0x1110 $d/device && break
		done
		echo 1 >$d/enable; exec "$VM_BUILD/programs/clocks" answer $d/resource2' >"$OUT/answer.$1" &
	local answer=$!
	echo 1 >"${page%/*}/enable"
	"$VM_BUILD/programs/clocks" ask "$page"
	wait $answer || fail "clocks on $1: $(cat "$OUT/answer.$1")"
}

# record_guest HOST ARGS…: start a recording on a guest. guest_ends() ends it.
record_guest() {
	local host=$1
	shift
	rm -f "$shared/$host.said"
	if [ "$host" = client ]; then
		trace-cmd record-skb -o "$OUT/client.dat" "$@" 2>$shared/client.said &
		at_exit stop $!
	else
		on "$host" bash -c 'exec trace-cmd record-skb "$@" 2>'"$shared/$host.said" - -o "/tmp/$host.dat" "$@" &
	fi
	recorder[$host]=$!
	wait_for "the recorder of $host" grep -q "recording until" "$shared/$host.said"
}
declare -A recorder

# guest_ends HOST: end the recording on a guest, and fetch its file
guest_ends() {
	if [ "$1" = client ]; then
		kill -INT "${recorder[client]}"
	else
		on "$1" pkill -INT -o -f '^[^ ]*trace-cmd-record-skb'
	fi
	wait "${recorder[$1]}" || fail "the recorder of $1: $(cat "$shared/$1.said")"
	[ "$1" = client ] || { on "$1" cp "/tmp/$1.dat" "$shared/" && cp "$shared/$1.dat" "$OUT/"; }
}
