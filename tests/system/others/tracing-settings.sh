#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: settings of tracing that another user has made do not disturb a recording and are restored afterwards
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

# Save the clock, because a kernel that does not trust its CPUs' clocks boots with another trace clock.
clock=$(sed 's/.*\[\(.*\)\].*/\1/' "$tracing/trace_clock")
# A line is FILE|SETTING BEFORE THE RECORDING|SETTING AFTER THIS TEST. "?" marks a file that some kernels do not
# have. "+" marks a setting that is appended to the file.
cat >"$OUT/settings" <<END
trace_clock|counter|$clock
buffer_size_kb|2000|1408
events/sched/sched_switch/enable|1|0
events/sched/sched_switch/filter|prev_pid == 4242|0
events/sched/sched_switch/trigger|traceoff:1 if prev_pid == 4242|!traceoff:1 if prev_pid == 4242
set_ftrace_filter|vfs_read schedule|
+set_ftrace_filter|vfs_write:stacktrace:5|!vfs_write:stacktrace:5
set_ftrace_notrace|ip_rcv kfree|
set_graph_function|do_sys_openat2|
set_graph_notrace|ip_output|
set_ftrace_pid|$$|
set_event_pid|$$|
max_graph_depth|5|0
tracing_cpumask|1|3
tracing_thresh|100|0
saved_cmdlines_size|1|128
buffer_percent|0|50
options/overwrite|0|1
options/funcgraph-irqs|0|1
options/funcgraph-proc|1|0
options/sleep-time|0|1
options/userstacktrace|1|0
options/stacktrace|1|0
options/record-cmd|0|1
options/markers|0|1
options/pause-on-trace|1|0
?options/funcgraph-retaddr|1|0
?options/funcgraph-retval|1|0
?options/funcgraph-args|1|0
tracing_on|0|1
END
put() { # FILE TEXT
	case $1 in
	\?*) [ ! -e "${1#?}" ] || echo "$2" >"${1#?}" ;;
	+*) echo "$2" >>"${1#?}" ;;
	*) echo "$2" >"$1" ;;
	esac
}
put_all() { # COLUMN
	local row
	cd "$tracing"
	while IFS='|' read -ra row; do
		put "${row[0]}" "${row[$1]-}"
	done <"$OUT/settings"
	cd "$OUT"
}
at_exit put_all 2
put_all 1
# Some of these events were enabled before their filters were set. Remove their entries from the trace.
echo >"$tracing/trace"
tracing_settings >before
status=0
trace-cmd record-skb --cpu 1 -p 9000 -- ping -q -c 2 -i 0.5 127.0.0.1 >stdout 2>stderr || status=$?
tracing_settings >after
is "$status" 0 "a recording amid all that"
diff -U 0 before after >&2 || fail "the settings of tracing have changed"
ok "the settings of tracing are restored"

# The recording must have all packets, in spite of these settings.
balanced trace.dat
trace-cmd report >report
has "$(cat report)" "$(line_of ip_rcv '#1 icmp 127.0.0.1 > 127.0.0.1 echo request')" "ip_rcv, which was not to be traced"
has "$(cat report)" "$(line_of ip_output '#1 icmp 127.0.0.1 > 127.0.0.1 echo request')" "ip_output, which was not to be graphed"
has_not "$(cat report)" 'stack trace|fgraph_retaddr' "no entries of options that were off"
has "$(cat report)" 'ping-[0-9]+.*icmp_rcv\(' "the name of the task"
has "$(cat report)" '\[001\].*icmp_rcv\(' "CPU 1, which was not to be traced"
