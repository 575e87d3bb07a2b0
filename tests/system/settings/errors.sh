#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an impossible recording fails with one line and exit status 125, and leaves nothing half done
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"

# refused STATUS PATTERN ARGS…: check the status and that there is one line, which matches PATTERN
refused() {
	local status=$1 pattern=$2
	shift 2
	is "$(status_of trace-cmd record-skb "$@")" "$status" "exit status of: record-skb $*"
	is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
	has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: .*$pattern" "the message"
	[ ! -e trace.dat ] || fail "a trace.dat was left behind"
	! grep -q '^record_skb ' /proc/modules || fail "the module was left loaded"
}

refused 125 'port' -p 70000 -- true
refused 125 'port' -p 90x0 -- true
refused 125 'syntax error' 'tcp prot 9000' -- true
refused 125 'nosuchdevice' -i nosuchdevice -- true
refused 125 'nosuchnamespace' --netns nosuchnamespace -- true
refused 125 'bogus' --bogus -- true
refused 127 'nosuchcommand' -p 9000 -- nosuchcommand
touch notexecutable
refused 126 'notexecutable' -p 9000 -- ./notexecutable
refused 125 'nowhere' -o nowhere/trace.dat -p 9000 -- true
refused 125 '.' # neither filter nor command

# Parts of a recording that was cut off, where this one's would be.
touch trace.dat.cpu0
refused 125 'trace.dat.cpu0 exists.* -o FILE trace.dat.cpu\*' -p 9000 -- true
rm trace.dat.cpu0
touch trace.dat.head.cpu0
refused 125 'trace.dat.head.cpu0 exists, from a recording that a crash ended' -p 9000 -- true
rm trace.dat.head.cpu0

# A user other than root.
is "$(status_of setpriv --reuid 65534 --clear-groups trace-cmd record-skb -p 9000 -- true)" 125 "not root"
has "$(cat "$OUT/stderr")" 'root' "the message"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"

# No module for this kernel: mount an empty directory over it.
modules=$(dirname "$(modinfo -n record_skb)")
mount -t tmpfs none "$modules"
refused 125 "$(uname -r | tr + .)" -p 9000 -- true
umount "$modules"

# A module for another kernel, and one for a single processor.
module=$(modinfo -n record_skb)
unpack=cat pack=cat
case $module in
*.xz) unpack=xzcat pack="xz --check=crc32" ;;
esac
$unpack "$module" | sed 's/\(vermagic=[^ ]* \)SMP/\1UNI/' | $pack >other.ko
mount --bind other.ko "$module"
refused 125 'another kernel' -p 9000 -- true
umount "$module"

# No tracefs, and no right to mount it, as in a container.
cat >contained <<'END'
umount -R /sys/kernel/tracing
umount -R /sys/kernel/debug 2>/dev/null
exec setpriv --bounding-set -sys_admin trace-cmd record-skb -p 9000 -- true
END
is "$(status_of unshare --mount bash ./contained)" 125 "without tracefs"
has "$(cat "$OUT/stderr")" 'tracefs' "the message"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"

# A kernel without function_graph: mount a list of tracers without it.
grep -o 'function\b\|nop' "$tracing/available_tracers" | xargs >tracers
mount --bind tracers "$tracing/available_tracers"
refused 125 'function_graph' -p 9000 -- true
umount "$tracing/available_tracers"

# Another user traces.
echo function >"$tracing/current_tracer"
refused 125 'tracer' -p 9000 -- true
is "$(cat "$tracing/current_tracer")" function "the tracer is unchanged"
echo nop >"$tracing/current_tracer"

for option in --help --version; do
	is "$(status_of sh -c "trace-cmd record-skb $option >/dev/full")" 125 "$option where nothing can be printed"
	has "$(cat "$OUT/stderr")" 'cannot write the output: No space' "the message about the disk"
done
