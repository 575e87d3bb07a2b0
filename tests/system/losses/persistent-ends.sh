#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recording with --persistent that ends or is killed leaves the instance empty and no other file; unsuitable instances are refused
# kernels: 6.12 6.12-rt 7.2 newest
# vm: --append "reserve_mem=8M:64K:kept trace_instance=kept@kept"
# tags: main
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kept-instance.sh"

two_namespaces
echo_server B 9000
refused "no instance" "${record[@]}" --persistent none -- true
mkdir "$tracing/instances/plain"
refused "not persistent" "${record[@]}" --persistent plain -- true
rmdir "$tracing/instances/plain"
refused "nothing kept" trace-cmd record-skb --recover kept -o "$trace"

# A recording that ends normally must leave the instance as before, and no other file.
for ring in "" "--ring 1M"; do
	# shellcheck disable=SC2086
	"${record[@]}" $ring --persistent kept -- ip netns exec A "$steps" open 10.9.0.2 9000 send 100 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	emptied "${ring:-a file}"
	trace-cmd report-skb --list -i "$trace" >"$OUT/packets" 2>&1 || fail "$(cat "$OUT/packets")"
	grep -q ' udp 10\.9\.0\.1:[0-9]* > 10\.9\.0\.2:9000 ' "$OUT/packets" || fail "$(cat "$OUT/packets")"
	rm "$trace"
done
# A killed recorder must also leave the instance empty, and no other file.
"${record[@]}" --persistent kept 2>"$OUT/said" &
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
in_a bash -c 'echo > /dev/udp/10.9.0.2/9000'
kill -KILL $!
wait_for "all to be put back" unrecorded
emptied "after SIGKILL"
