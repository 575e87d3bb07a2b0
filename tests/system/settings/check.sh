#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --check reports each thing that a machine lacks once, with a remedy that works
# timeout: 300

# Run in a new mount namespace, so that the mounts over files disappear with the test.
[ -n "${MOUNTS:-}" ] || MOUNTS=y exec unshare --mount "$0"
. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
trace-cmd record-skb --check >all || fail "--check: $(cat all)"
has "$(cat all)" '^ok +tracer +function_graph$' "function_graph"
has "$(cat all)" '^ok +module +/.*/record_skb\.ko' "the module"
has "$(cat all)" '^ok +plugin +/.*/plugin_record_skb\.so$' "the plugin"
version=$({ trace-cmd version || :; } | sed -n "s/^trace-cmd version \([0-9.]*\).*/\1/p")
[ -n "$version" ] || fail "trace-cmd does not say its version"
has "$(cat all)" "^ok +trace-cmd +/.*/trace-cmd, version $version\$" "trace-cmd's version"
has "$(cat all)" '^ok +registers +ftrace_regs_caller$' "ftrace's registers"
has "$(cat all)" '^a recording is possible$' "all is there"
! grep -q '^record_skb ' /proc/modules || fail "--check has loaded the module"

# lacks ROW SAID [MEND]: check that ROW of the file "said" reports this and suggests this remedy
lacks() {
	has "$(cat said)" "^(LACKS  |without) +$1 +.*$2" "$1: lacking"
	[ -z "${3:-}" ] || has "$(grep -A 1 -E "^(LACKS  |without) +$1 " said)" "to mend it: .*$3" "$1: the suggested remedy"
}

# mend ROW: run the command that was printed
mend() {
	eval "$(grep -A 1 -E "^LACKS +$1 " said | sed -n 's/.*to mend it: //p')" >/dev/null
}

# unseen: check that rows that cannot be examined have no result
unseen() {
	local row
	for row in tracer 'function filter' kprobes 'other recordings' 'other tracing' 'unread trace' 'other instances' 'other probes' 'probe points'; do
		has "$(cat said)" "^unknown +$row +cannot be seen$" "$row: unknown"
	done
}

hide() {
	at_exit show "$1"
	mv "$1" "$1.hidden"
}
show() {
	[ ! -e "$1.hidden" ] || mv "$1.hidden" "$1"
}
# over TEXT FILE: mount a file with this text over FILE
over() {
	printf '%s\n' "$1" >"${2##*/}"
	mount --bind "${2##*/}" "$2"
}

# Missing rights, and missing mounts.
is "$(status_of setpriv --reuid 65534 --clear-groups trace-cmd record-skb --check)" 125 "a user other than root"
cp stdout said
lacks rights 'you are not root' 'run it by sudo$'
unseen
umount -R "$tracing"
umount -R /sys/kernel/debug 2>/dev/null || :
is "$(status_of setpriv --bounding-set -sys_admin trace-cmd record-skb --check)" 125 "without tracefs, as in a container"
cp stdout said
lacks tracefs 'is not there and cannot be mounted'
unseen
eval "$(sed -n "s/.*Try '\(.*\)'$/\1/p" said)"

# Hide one thing after the other: the kernel options, the module, the programs and the plugins. KernelShark may not be
# installed in the guest.
running=$(uname -r)
this=${running//+/\\+}
module=$(modinfo -n record_skb)
plugin=$(sed -n 's/^ok *plugin *//p' all)
kshark_plugin=${plugin%/traceevent/*}/kernelshark/plugins/plugin-record_skb.so
programs=(/usr/bin/trace-cmd "$(command -v trace-cmd-report-skb)" "$plugin")
! grep -q '^ok *kernelshark' all || programs+=("$(command -v kernelshark)")
! grep -q '^ok *its plugin' all || programs+=("$kshark_plugin")
over nop "$tracing/available_tracers"
over "$(grep -v ' ftrace_regs_caller$' /proc/kallsyms)" /proc/kallsyms
mount -t tmpfs none /sys/kernel/btf
# Some kernels cannot switch ftrace off.
switched=y
sysctl -q kernel.ftrace_enabled=0 2>not-switched || switched=n
[ $switched = y ] || has "$(cat not-switched)" 'Operation not supported' "a kernel that never switches ftrace off"
hide "$module"
for file in "${programs[@]}"; do
	hide "$file"
done
is "$(status_of trace-cmd record-skb --check)" 125 "much is lacking"
cp stdout said
lacks tracer 'no function_graph tracer' 'a kernel as distributions build it'
lacks registers 'hands on none' CONFIG_DYNAMIC_FTRACE_WITH_REGS
lacks 'types \(BTF\)' 'no /sys/kernel/btf/vmlinux' CONFIG_DEBUG_INFO_BTF
[ $switched = n ] || lacks ftrace 'kernel.ftrace_enabled is 0' 'sysctl kernel.ftrace_enabled=1'
lacks module "the module record_skb is not installed for this kernel \($this\): .*'make install'.*record-skb-dkms$"
lacks trace-cmd 'not installed' 'apt install trace-cmd$'
lacks report-skb 'not installed' 'make install'
lacks plugin 'not where libtraceevent looks' 'make install'
lacks kernelshark 'not installed' 'apt install kernelshark'
lacks 'its plugin' 'not beside the plugin' 'libkshark-dev'
over 'ID=fedora' /etc/os-release
is "$(status_of trace-cmd record-skb --check)" 125 "the same without apt"
cp stdout said
lacks trace-cmd 'not installed' 'dnf install trace-cmd$'
lacks kernelshark 'not installed' 'dnf install kernelshark$'
umount /etc/os-release
umount "$tracing/available_tracers" /proc/kallsyms /sys/kernel/btf
mend ftrace
for file in "${programs[@]}"; do
	show "$file"
done

# The module comes from DKMS.
sources=/usr/src/record-skb-0
at_exit rm -rf "$sources"
mkdir -p "$sources"
touch "$sources/dkms.conf"
[ -e "/lib/modules/$running/build" ] || ln -sfn /tmp "/lib/modules/$running/build"
mount -t tmpfs none "$tracing"
echo function_graph >"$tracing/available_tracers"
echo nop >"$tracing/current_tracer"
is "$(status_of trace-cmd record-skb --check)" 125 "a kernel without kprobes"
cp stdout said
lacks 'function filter' 'functions cannot be chosen' CONFIG_DYNAMIC_FTRACE
lacks kprobes none CONFIG_KPROBE_EVENTS
lacks module "DKMS has not built .* 'dkms autoinstall'"
umount "$tracing"
hide "/lib/modules/$running/build"
echo function >"$tracing/current_tracer"
is "$(status_of trace-cmd record-skb --check)" 125 "while another user traces"
cp stdout said
lacks module "DKMS could not .*: apt install linux-headers-$this$"
lacks 'other tracing' 'tracing is in use' 'trace-cmd reset'
mend 'other tracing'
show "$module"

# A module for another kernel, during a recording.
trace-cmd record-skb --detail path -q -o other.dat -p 9 &
other=$!
at_exit stop "$other"
wait_for "another recording" armed
is "$(status_of trace-cmd record-skb --check)" 125 "during another recording"
cp stdout said
lacks 'other recordings' 'is recording packets' 'wait for it, or end it'
kill -INT "$other"
wait "$other"
unpack=cat pack=cat
case $module in
*.xz) unpack=xzcat pack="xz --check=crc32" ;;
esac
$unpack "$module" | sed 's/vermagic=[0-9]/vermagic=0/' | $pack >other.ko
mount --bind other.ko "$module"
is "$(status_of trace-cmd record-skb --check)" 125 "a module for another kernel"
cp stdout said
lacks module "was built for kernel 0.*, and this one is $this: build and install it again"
umount "$module"

trace-cmd record-skb --check >again || :
diff all again || fail "the suggested remedies did not restore everything"
ok "all is mended"
