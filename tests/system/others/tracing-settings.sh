#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: settings of tracing that another user has made do not disturb a recording and are restored afterwards
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

# The commands that undo this test's settings of tracing.
cat >"$OUT/undo" <<END
cd $tracing
echo 0 >events/enable
echo >set_event
echo 0 >events/sched/sched_switch/filter
echo '!traceoff:1 if prev_pid == 4242' >events/sched/sched_switch/trigger
echo >set_ftrace_filter
echo '!vfs_write:stacktrace:5' >>set_ftrace_filter
echo >set_ftrace_notrace
echo >set_graph_function
echo >set_graph_notrace
echo >set_ftrace_pid
echo >set_event_pid
echo 0 >max_graph_depth
echo 1408 >buffer_size_kb
echo 3 >tracing_cpumask
echo 0 >tracing_thresh
echo 128 >saved_cmdlines_size
echo 50 >buffer_percent
echo 1 >options/overwrite
echo 1 >options/funcgraph-irqs
echo 0 >options/funcgraph-proc
echo 1 >options/sleep-time
echo 0 >options/userstacktrace
echo 0 >options/stacktrace
echo 1 >options/record-cmd
echo 1 >options/markers
echo 0 >options/pause-on-trace
[ ! -e options/funcgraph-retaddr ] || echo 0 >options/funcgraph-retaddr
[ ! -e options/funcgraph-retval ] || echo 0 >options/funcgraph-retval
[ ! -e options/funcgraph-args ] || echo 0 >options/funcgraph-args
echo 1 >tracing_on
END
at_exit bash "$OUT/undo"
# Save the clock, because a kernel that does not trust its CPUs' clocks boots with another trace clock.
clock=$(sed 's/.*\[\(.*\)\].*/\1/' "$tracing/trace_clock")
at_exit sh -c "echo $clock >$tracing/trace_clock"

cd "$tracing"
echo counter >trace_clock
echo 2000 >buffer_size_kb
echo 1 >events/sched/sched_switch/enable
echo 'prev_pid == 4242' >events/sched/sched_switch/filter
echo 'traceoff:1 if prev_pid == 4242' >events/sched/sched_switch/trigger
echo 'vfs_read schedule' >set_ftrace_filter
echo 'vfs_write:stacktrace:5' >>set_ftrace_filter
echo 'ip_rcv kfree' >set_ftrace_notrace
echo 'do_sys_openat2' >set_graph_function
echo 'ip_output' >set_graph_notrace
echo $$ >set_ftrace_pid
echo $$ >set_event_pid
echo 5 >max_graph_depth
echo 1 >tracing_cpumask
echo 100 >tracing_thresh
echo 1 >saved_cmdlines_size
echo 0 >buffer_percent
echo 0 >options/overwrite
echo 0 >options/funcgraph-irqs
echo 1 >options/funcgraph-proc
echo 0 >options/sleep-time
echo 1 >options/userstacktrace
echo 1 >options/stacktrace
echo 0 >options/record-cmd
echo 0 >options/markers
echo 1 >options/pause-on-trace
for option in options/funcgraph-{retaddr,retval,args}; do
	[ ! -e "$option" ] || echo 1 >"$option"
done
echo 0 >tracing_on
# Empty the trace, because some of these events were enabled before their filters were set.
echo >trace
cd "$OUT"
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
has_not "$(cat report)" 'stack trace|fgraph_retaddr' "no entries that nobody asked for"
has "$(cat report)" 'ping-[0-9]+.*icmp_rcv\(' "the name of the task"
has "$(cat report)" '\[001\].*icmp_rcv\(' "CPU 1, which was not to be traced"
