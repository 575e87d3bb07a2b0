# SPDX-License-Identifier: GPL-2.0
# Part of tests/vm/run: the option --hosts, which starts several guests for one script.
# shellcheck disable=SC2034,SC2154 # The caller sets and uses the other variables.
#
# The guest of tests/vm/run is the first host and runs the script. This file starts the other guests, with
# tests/vm/run again. They execute the commands that the script sends to them (tests/vm/peer). A wire connects
# each host to the next one in the list. All hosts also share a page of memory. Tests use this page to compare
# the clocks of the guests without a network (tests/system/lib/clocks.c).
#
#   client ── wire1 ── router ── wire2 ── server
#
# All guests share the folder "hosts" over 9p:
#
#   HOST/ready, HOST/*.run   the host waits for commands; a command
#   wireN.set, wireN.done    the settings of a wire, see wire.c
#   wireN.lost               the last four bytes of each lost packet
#   end                      the hosts switch themselves off

# host_devices N: print qemu's options for the shared folder, the shared page and the network devices of host
# number N
host_devices() {
	local n=$1 wire id=0
	echo "-virtfs local,path=$hosts_dir/shared,mount_tag=hosts,security_model=none,multidevs=remap"
	echo "-object memory-backend-file,id=page,mem-path=$hosts_dir/page,size=1M,share=on -device ivshmem-plain,memdev=page"
	for wire in $((n - 1)) "$n"; do
		[ "$wire" != 0 ] && [ "$wire" -lt "${#host_names[@]}" ] || continue
		id=$((id + 1))
		echo "-netdev stream,id=wire$id,server=off,addr.type=unix,addr.path=$hosts_dir/wire$wire.$((n - wire))"
		echo "-device virtio-net-pci,netdev=wire$id,romfile=,mac=52:54:00:00:0$wire:0$((n - wire))"
	done
}

# start_wires: make the shared page, and start a process for each wire
start_wires() {
	local wire=0 shared=$hosts_dir/shared
	truncate -s 1M "$hosts_dir/page"
	cc -O2 -Wall -o "$hosts_dir/wire" "$vm/wire.c" || die "wire.c does not build"
	while [ $((wire += 1)) -lt "${#host_names[@]}" ]; do
		: >"$shared/wire$wire.lost"
		"$hosts_dir/wire" "$hosts_dir/wire$wire.0" "$hosts_dir/wire$wire.1" \
			"$shared/wire$wire.set" "$shared/wire$wire.done" "$shared/wire$wire.lost" &
		pids="$pids $!"
		until [ -S "$hosts_dir/wire$wire.1" ]; do
			kill -0 $! 2>/dev/null || die "wire $wire failed"
			sleep 0.05
		done
	done
}

# start_hosts NAMES: start the wires, and all guests except the first one. Add the devices of the first
# guest to $qemu_args.
start_hosts() {
	local n name other
	IFS=, read -ra host_names <<<"$1"
	hosts_dir=$tmp/hosts
	mkdir -p "$hosts_dir/shared"
	start_wires
	for ((n = 1; n <= ${#host_names[@]}; n++)); do
		name=${host_names[n - 1]}
		other=(--stage "$tmp/stage" -k "$kernel")
		[ "${name%=*}" = "$name" ] || other=(-k "${name#*=}")
		name=${name%=*}
		host_names[n - 1]=$name
		mkdir "$hosts_dir/shared/$name"
		[ "$n" != 1 ] || continue
		"$vm/run" "${other[@]}" --smp "$smp" --memory "$memory" --timeout "$timeout" --append "$append" \
			--qemu "$(host_devices "$n")" -- "$vm/peer" "$name" >"$hosts_dir/$name.log" 2>&1 &
		pids="$pids $!"
		host_pids+=($!)
	done
	qemu_args="$(host_devices 1) $qemu_args"
}

# end_hosts: tell the other guests to end, and wait for them. Return 1 if one of these guests has failed.
end_hosts() {
	local n failed=0
	touch "$hosts_dir/shared/end"
	for ((n = 0; n < ${#host_pids[@]}; n++)); do
		wait "${host_pids[n]}" || {
			echo "the guest ${host_names[n + 1]} failed:"
			cat "$hosts_dir/${host_names[n + 1]}.log"
			failed=1
		} >&2
	done
	return $failed
}
