#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the disk has no space, --recover loses nothing and can be repeated; a CPU that cannot be read is an error
# timeout: 200

. "$(dirname "$0")/../lib/lib.sh"

# A crash leaves the pages of a tracing instance and the head of trace.dat. Make the same files without a
# crash, so that the test runs on any kernel. The pages can be read only once.
instance=$tracing/instances/kept
mkdir "$instance"
at_exit rmdir "$instance"
for n in {1..400}; do
	echo "mark $n of the recording that a crash ended" >"$instance/trace_marker"
done
for cpu in "$instance"/per_cpu/cpu*; do
	cpu=${cpu##*/}
	dd if="$instance/per_cpu/$cpu/trace_pipe_raw" of="$OUT/$cpu" bs=4096 iflag=nonblock 2>/dev/null || :
done
mount -t tmpfs none "$instance"
at_exit umount -l "$instance"
echo nop >"$instance/current_tracer"
echo "# Kernel" >"$instance/last_boot_info"
for cpu in "$OUT"/cpu*; do
	mkdir -p "$instance/per_cpu/${cpu##*/}"
	echo "entries: 1" >"$instance/per_cpu/${cpu##*/}/stats"
	pipe=$instance/per_cpu/${cpu##*/}/trace_pipe_raw
	mkfifo "$pipe"
	# Keep the pipe open, because a closed pipe loses its contents.
	# shellcheck disable=SC2034
	exec {open}<>"$pipe"
	cat "$cpu" >"$pipe"
done
pages=$(($(cat "$OUT"/cpu* | wc -c) / 4096))
[ "$pages" -gt 4 ] || fail "only $pages pages"

mkdir "$OUT/disk"
mount -t tmpfs none "$OUT/disk"
at_exit umount "$OUT/disk"
trace=$OUT/disk/trace.dat
trace-cmd restore -c -o "$trace.head"
recover=(trace-cmd record-skb --recover kept -o "$trace")

# Leave space for only half of the pages.
used=$(df -k --output=used "$OUT/disk" | tail -n 1)
mount -o remount,size=$((used + pages * 2))k "$OUT/disk"
is "$(status_of "${recover[@]}") $(wc -l <"$OUT/stderr")" "125 1" "no room"
has "$(cat "$OUT/stderr")" 'trace\.dat\.head\.cpu[0-9]+: No space left .*repeat the command' "the message"
is "$(status_of trace-cmd record-skb -o "$trace" -p 9000 -- true) $(wc -l <"$OUT/stderr")" "125 1" "it is not overwritten by a recording"

mount -o remount,size=100% "$OUT/disk"
mv "$instance/per_cpu/cpu1/trace_pipe_raw" "$instance/hidden"
is "$(status_of "${recover[@]}") $(wc -l <"$OUT/stderr")" "125 1" "a CPU that cannot be read"
has "$(cat "$OUT/stderr")" 'cpu1/trace_pipe_raw: No such file' "the message"
mv "$instance/hidden" "$instance/per_cpu/cpu1/trace_pipe_raw"

# Now all pages have been read.
for cpu in "$instance"/per_cpu/cpu*; do
	echo "entries: 0" >"$cpu/stats"
done
is "$(status_of "${recover[@]}")" 0 "again: $(cat "$OUT/stderr")"
trace-cmd report -i "$trace" >"$OUT/report" 2>/dev/null
is "$(grep -o 'mark [0-9]* of the recording' "$OUT/report" | sort -u | wc -l)" 400 "entries"
is "$(ls "$OUT/disk")" trace.dat "files left on the disk"
