#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --check reports each kernel option, program and plugin that a machine lacks exactly once, with a remedy that works
# timeout: 300

# Run in a new mount namespace, so that the mounts over files disappear with the test.
[ -n "${MOUNTS:-}" ] || MOUNTS=y exec unshare --mount "$0"
. "$(dirname "$0")/../lib/lib.sh"
. "$here/lacking.sh"

# Hide one thing after another: the kernel options, the module, the programs and the plugins. The guest may
# not have KernelShark.
running=$(uname -r)
this=${running//+/\\+}
module=$(modinfo -n record_skb)
plugin=$(sed -n 's/^ok *plugin *//p' all)
kshark_plugin=${plugin%/traceevent/*}/kernelshark/plugins/plugin-record_skb.so
programs=(/usr/bin/trace-cmd "$(command -v trace-cmd-report-skb)" "$plugin")
! grep -q '^ok *kernelshark' all || programs+=("$(command -v kernelshark)")
! grep -q '^ok *its plugin' all || programs+=("$kshark_plugin")
over nop "$tracing/available_tracers"
over "$(grep -vE ' ftrace(_regs)?_caller$' /proc/kallsyms)" /proc/kallsyms
mount -t tmpfs none /sys/kernel/btf
# On some kernels, ftrace cannot be switched off.
switched=y
sysctl -q kernel.ftrace_enabled=0 2>not-switched || switched=n
[ $switched = y ] || has "$(cat not-switched)" 'Operation not supported' "a kernel that never switches ftrace off"
hide "$module"
for file in "${programs[@]}"; do
	hide "$file"
done
checked "much is lacking"
lacks tracer 'no function_graph tracer' CONFIG_FUNCTION_GRAPH_TRACER
lacks registers 'does not pass them on' CONFIG_DYNAMIC_FTRACE_WITH_REGS
lacks 'types \(BTF\)' 'no /sys/kernel/btf/vmlinux' CONFIG_DEBUG_INFO_BTF
[ $switched = n ] || lacks ftrace 'kernel.ftrace_enabled is 0' 'sysctl kernel.ftrace_enabled=1'
lacks module "the module record_skb is not installed for this kernel \($this\): .*'make install'.*record-skb-dkms$"
lacks trace-cmd 'not installed' 'apt install trace-cmd$'
lacks report-skb 'not installed' 'make install'
lacks plugin 'not in a directory that libtraceevent searches' 'make install'
lacks kernelshark 'not installed' 'apt install kernelshark'
lacks 'its plugin' 'not installed' 'libkshark-dev'
over 'ID=fedora' /etc/os-release
checked "the same without apt"
lacks trace-cmd 'not installed' 'dnf install trace-cmd$'
lacks kernelshark 'not installed' 'dnf install kernelshark$'
umount /etc/os-release
umount "$tracing/available_tracers" /proc/kallsyms /sys/kernel/btf
mend ftrace
for file in "${programs[@]}"; do
	show "$file"
done
show "$module"
all_mended
