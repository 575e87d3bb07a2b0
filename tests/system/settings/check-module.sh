#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --check reports a missing or unsuitable module, and other recordings, exactly once, with a remedy that works
# tags: slow
# timeout: 300

# Run in a new mount namespace, so that the mounts over files disappear with the test.
[ -n "${MOUNTS:-}" ] || MOUNTS=y exec unshare --mount "$0"
. "$(dirname "$0")/../lib/lib.sh"
. "$here/lacking.sh"

running=$(uname -r)
this=${running//+/\\+}
module=$(modinfo -n record_skb)
hide "$module"

# Now pretend that the module comes from DKMS.
sources=/usr/src/record-skb-0
at_exit rm -rf "$sources"
mkdir -p "$sources"
touch "$sources/dkms.conf"
[ -e "/lib/modules/$running/build" ] || ln -sfn /tmp "/lib/modules/$running/build"
mount -t tmpfs none "$tracing"
echo function_graph >"$tracing/available_tracers"
echo nop >"$tracing/current_tracer"
checked "a kernel without kprobes"
lacks 'function filter' 'functions cannot be selected' CONFIG_DYNAMIC_FTRACE
lacks kprobes none CONFIG_KPROBE_EVENTS
lacks module "DKMS has not built .* 'dkms autoinstall'"
umount "$tracing"
hide "/lib/modules/$running/build"
echo function >"$tracing/current_tracer"
checked "while another user traces"
lacks module "DKMS could not .*: apt install linux-headers-$this$"
lacks 'other tracing' 'tracing is in use' 'trace-cmd reset'
mend 'other tracing'
show "$module"

# Now run --check during another recording, and then with a module for another kernel.
trace-cmd record-skb --detail path -q -o other.dat -p 9 &
other=$!
at_exit stop "$other"
wait_for "another recording" armed
checked "during another recording"
lacks 'other recordings' 'is recording packets' 'wait until it ends, or end it'
kill -INT "$other"
wait "$other"
unpack=cat pack=cat
case $module in
*.xz) unpack=xzcat pack="xz --check=crc32" ;;
esac
$unpack "$module" | sed 's/vermagic=[0-9]/vermagic=0/' | $pack >other.ko
mount --bind other.ko "$module"
checked "a module for another kernel"
lacks module "was built for kernel 0.*, and this kernel is $this: build and install it again"
umount "$module"
all_mended
