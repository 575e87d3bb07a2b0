# SPDX-License-Identifier: GPL-2.0
# Sourced by measure.sh: what a frame costs that passes a BPF program at a hook of a device.
#
# pktgen sends frames to port 7001 from a device in A to its peer in B, where a program drops them. If the program lets
# them pass, IP drops them, because they have the address of another host. Generic XDP gets the frames from a packet socket:
# pktgen keeps a reference to its skbs, with which generic XDP panics. A recording with --no-bpf does not see the
# programs, but has all its other probe points.
# shellcheck disable=SC2154 # measure.sh sets the variables.

# The name of each measurement, the hook, and the result of the program. 6.1 has no tcx.
hooks="native_drop xdp-native 1
native_pass xdp-native 2
generic_drop xdp-generic 1
tc_drop tc-ingress 2
tcx_drop tcx-ingress 2"
case $VM_KERNEL in 6.1 | 6.1-rt | debug) hooks=$(grep -v tcx <<<"$hooks") ;; esac
frames=2000
declare -A hook_device=()

# hooks_begin: make a device with a program for each hook
hooks_begin() {
	local name hook result n=0
	cp "$(made_on_host programs)" /tmp/attach
	modprobe pktgen
	at_exit modprobe -r pktgen
	while read -r name hook result; do
		n=$((n + 1))
		ip link add "a$n" netns A type veth peer name "b$n" netns B
		ip -n A link set "a$n" up
		ip -n B link set "b$n" up
		hook_device[$name]=a$n
		mkfifo "/tmp/hook.$n"
		in_b env NO_STATS=y /tmp/attach "$hook" "b$n" "fw$n" "$result" 7001 <>"/tmp/hook.$n" >"/tmp/hook.said.$n" &
		at_exit stop $!
		wait_for "a program at the hook $hook" grep -q "^fw$n " "/tmp/hook.said.$n"
	done <<<"$hooks"
	in_a sh -c 'echo rem_device_all >/proc/net/pktgen/kpktgend_0'
	# The first frames fill caches.
	frames=200 hooks_frames warm >/dev/null
}

# frame NAME: print the instructions of a frame that is sent to the program NAME. Other work of the kernel sometimes adds to
# a measurement of pktgen, so print the median of three.
frame() {
	local command device=${hook_device[$1]}
	if [ "$1" = generic_drop ]; then
		work frame "$device" $((frames / 100))
		return
	fi
	in_a sh -c "echo 'add_device $device' >/proc/net/pktgen/kpktgend_0"
	for command in "count $frames" "pkt_size 60" "delay 0" "dst 10.7.0.2" "dst_mac 02:00:00:00:00:99" "udp_dst_min 7001" "udp_dst_max 7001"; do
		in_a sh -c "echo '$command' >/proc/net/pktgen/$device" || fail "pktgen: $command"
	done
	for _ in 1 2 3; do
		in_a sh -c 'echo start >/proc/net/pktgen/pgctrl'
		in_a sed -n 's/^Result: OK: \([0-9]*\)(.*usec, \([0-9]*\) .*/\1 \2/p' "/proc/net/pktgen/$device"
	done | awk -v count="$frames" '$2 == count { printf "%.0f\n", $1 * 1000 / $2 }' | sort -n | sed -n 2p
	in_a sh -c 'echo rem_device_all >/proc/net/pktgen/kpktgend_0'
}

# hooks_frames SETTING: measure a frame at each hook
hooks_frames() {
	local name
	while read -r name _; do
		figure "$1" "$name" "$(frame "$name")"
	done <<<"$hooks"
}

# hooks bare|[waiting_][without_]DETAIL: measure without a recording, or with one; "without" means --no-bpf, and "waiting" that
# a socket has an unread datagram that matched
hooks() {
	local without="" reader=""
	[ -n "${hook_device[*]}" ] || hooks_begin
	if [ "$1" = bare ]; then
		hooks_frames hooks_bare
		return
	fi
	[[ $1 != *without_* ]] || without=--no-bpf
	# shellcheck disable=SC2086
	begin_ours "${1##*_}" $without
	if [[ $1 == waiting_* ]]; then
		in_b perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 17); bind(S, pack_sockaddr_in(9000, INADDR_ANY)) or die; sleep' &
		reader=$!
		wait_for "the reader" udp_listening B 9000
		in_a bash -c 'echo one >/dev/udp/10.7.0.2/9000'
	fi
	hooks_frames "hooks_$1"
	[[ $1 != waiting_* ]] || stop $reader
	finish "$recorder"
}
