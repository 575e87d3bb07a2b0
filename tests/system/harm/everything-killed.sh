#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the recorder and all its processes are killed at a random moment, the module restores tracing by itself
# requires: nft
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kills.sh"

# harm/everything-killed-often sets a larger number of kills.
kills=${KILLS:-6}
random_seed

two_namespaces
echo_server B 9000
background_stream -c
# With nf_tables loaded, --why uses a tracing instance of its own, which must be removed, too.
modprobe nf_tables
mkdir -p "$OUT/cgroup"
mount -t cgroup2 none "$OUT/cgroup"
at_exit umount "$OUT/cgroup"
group=$OUT/cgroup/recording
mkdir "$group"
at_exit rmdir "$group"

at_exit no_foreign_settings
foreign_settings
before=$(tracing_settings)
# If set_graph_function has functions of another user, a shared recording is refused. So remove these
# functions, and compare the settings after a shared recording with these settings.
no_foreign_settings
before_shared=$(tracing_settings)

recording() {
	sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$group" \
		trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 "$@" 2>"$OUT/said" &
	cli=$!
}

measure_recording

ways=("" "" "--ring 1M" "--why" "-e sched:sched_switch")
[ ! -d "$tracing/instances" ] || [ "$VM_KERNEL" = 6.1 ] || [ "$VM_KERNEL" = debug ] || [ "$VM_KERNEL" = 6.1-rt ] || ways+=("--shared")

# left: print the differences between the settings of tracing before and after the recording. True if there
# is no difference, and nothing else of the recording is left.
left() {
	diff -U 0 <(echo "$wanted") <(tracing_settings) && [ -z "$(redirected)" ] && [ "$(unread)" = 0 ]
}

still_changed() {
	left || :
	dmesg | grep " record_skb: " | tail -n 5
	fail "tracing is not as it was"
}

for ((n = 1; n <= kills; n++)); do
	way=${ways[RANDOM % ${#ways[@]}]}
	wanted=$before_shared
	[ "$way" = --shared ] || { foreign_settings && wanted=$before; }
	# shellcheck disable=SC2086
	recording $way
	random_pause
	echo 1 >"$group/cgroup.kill"
	ends_killed "$cli"
	wait_for "the end of all processes" grep -qx "populated 0" "$group/cgroup.events"
	(WAIT_SECONDS=$(as_long 60) wait_for "tracing as it was, after $pause ms of ${way:-a recording}" left) || still_changed
	[ ! -e /sys/module/record_skb ] || wait_for "the end of the module" modprobe -r record_skb
	left || fail "tracing is not as it was without the module, after $pause ms of ${way:-a recording}"
	no_foreign_settings
	rm -f "$OUT"/trace.dat*
	traffic_goes_on "after $pause ms of ${way:-a recording} ($n)"
done
stream_ends
next_is_right
