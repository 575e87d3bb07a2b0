#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --cpu sets the CPU of the command; --args and --retval record what the kernel supports, or report that it does not
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"

for cpu in 0 1; do
	is "$(trace-cmd record-skb -q --detail path --cpu $cpu -- sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)" \
		"$cpu" "the command runs on CPU $cpu"
done
is "$(status_of trace-cmd record-skb --cpu 99 -- true)" 125 "no such CPU: exit status"
has "$(cat stderr)" 'CPU 99 is not online' "no such CPU: message"
is "$(status_of trace-cmd record-skb --cpu 1- -- true)" 125 "no list: exit status"
has "$(cat stderr)" "'1-' is not a list of CPUs" "not a list: message"
is "$(status_of trace-cmd record-skb --cpu 1 -p 9)" 125 "no command: exit status"
has "$(cat stderr)" 'needs a command' "no command: message"

# extra OPTION FIELD-FILE: the option's data is in the trace, or the recorder reports that the kernel lacks it
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
