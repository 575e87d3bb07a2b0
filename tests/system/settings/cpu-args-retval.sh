#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --cpu sets the CPU of the command; --args and --retval record their data, or a message says that the kernel lacks them
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"

for cpu in 0 1; do
	is "$(trace-cmd record-skb -q --detail path --cpu $cpu -- sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)" \
		"$cpu" "the command runs on CPU $cpu"
done
is "$(status_of trace-cmd record-skb --cpu 99 -- true)" 125 "no such CPU: exit status"
has "$(cat stderr)" 'CPU 99 is not online' "no such CPU: message"
is "$(status_of trace-cmd record-skb --cpu 1- -- true)" 125 "not a list: exit status"
has "$(cat stderr)" "'1-' is not a list of CPUs" "not a list: message"
is "$(status_of trace-cmd record-skb --cpu 1 -p 9)" 125 "no command: exit status"
has "$(cat stderr)" 'needs a command' "no command: message"

# extra OPTION FIELD-FILE: record with OPTION. The trace must have a field that matches FIELD-FILE. If the
# kernel does not support OPTION, the recorder must report this.
extra() {
	if [ -e "$tracing/options/funcgraph-$1" ]; then
		was=$(cat "$tracing/options/funcgraph-$1")
		trace-cmd record-skb -q --detail path "--$1" -- ping -q -c 1 127.0.0.1 >stdout 2>stderr ||
			fail "--$1: $(cat stderr)"
		has "$(trace-cmd report -R)" "$2" "--$1: the data is in the trace"
		is "$(cat "$tracing/options/funcgraph-$1")" "$was" "--$1: the kernel's option is restored"
		return
	fi
	is "$(status_of trace-cmd record-skb "--$1" -- true)" 125 "--$1: exit status"
	is "$(wc -l <stderr)" 1 "--$1: one line"
	has "$(cat stderr)" "^trace-cmd record-skb: --$1: this kernel cannot record" "--$1: said"
}

extra args 'funcgraph_entry:.*args='
extra retval 'funcgraph_exit:.*retval='

# With --args, the lines of functions have arguments, and must still name the packet. Only trace-cmd 3.4 and
# later versions print arguments. They print the names of the arguments if the file contains the kernel's
# types, which only "trace-cmd extract" writes.
[ -e "$tracing/options/funcgraph-args" ] || exit 0
version=$({ trace-cmd version || :; } | sed -n "s/^trace-cmd version \([0-9.]*\).*/\1/p")
[ -n "$version" ] || fail "trace-cmd does not say its version"
file='' ring=''
if [ "$(printf '%s\n' "$version" 3.4 | sort -V | head -n 1)" = 3.4 ]; then
	file='[0-9a-f]{16}, [^)]*' ring='skb=0x[0-9a-f]+'
fi

# printed ARGUMENTS OPTION…: check that the line of icmp_rcv has ARGUMENTS and the packet
printed() {
	local arguments=$1
	shift
	trace-cmd record-skb -q --args "$@" -o args.dat icmp -- ping -q -c 1 127.0.0.1 >stdout 2>stderr ||
		fail "--args $*: $(cat stderr)"
	trace-cmd report -i args.dat >report 2>&1
	has "$(cat report)" "funcgraph_entry: .* icmp_rcv\($arguments\) \{ /\* #1 icmp " "--args $*: the arguments and the packet"
}
printed "$file"
printed "$ring" --ring 4M
