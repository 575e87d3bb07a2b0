#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: without a suitable module, tracefs or tracer, or beside another user of tracing, a recording fails with one line and leaves nothing behind
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$here/refused.sh"

# Hide the module: mount an empty file system over its directory.
modules=$(dirname "$(modinfo -n record_skb)")
mount -t tmpfs none "$modules"
refused 125 "$(uname -r | tr + .)" -p 9000 -- true
umount "$modules"

# Replace the module by one for another kernel, and by one for a single processor.
module=$(modinfo -n record_skb)
unpack=cat pack=cat
case $module in
*.xz) unpack=xzcat pack="xz --check=crc32" ;;
esac
$unpack "$module" | sed 's/\(vermagic=[^ ]* \)SMP/\1UNI/' | $pack >other.ko
mount --bind other.ko "$module"
refused 125 'another kernel' -p 9000 -- true
umount "$module"

# Unmount tracefs, and drop the right to mount it, as in a container.
cat >contained <<'END'
umount -R /sys/kernel/tracing
umount -R /sys/kernel/debug 2>/dev/null
exec setpriv --bounding-set -sys_admin trace-cmd record-skb -p 9000 -- true
END
is "$(status_of unshare --mount bash ./contained)" 125 "without tracefs"
has "$(cat "$OUT/stderr")" 'tracefs' "the message"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"

# Hide function_graph: mount a list of tracers that lacks it.
grep -o 'function\b\|nop' "$tracing/available_tracers" | xargs >tracers
mount --bind tracers "$tracing/available_tracers"
refused 125 'function_graph' -p 9000 -- true
umount "$tracing/available_tracers"

# Now another user is tracing.
echo function >"$tracing/current_tracer"
refused 125 'tracer' -p 9000 -- true
is "$(cat "$tracing/current_tracer")" function "the tracer is unchanged"
echo nop >"$tracing/current_tracer"
