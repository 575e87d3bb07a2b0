#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# measure.sh [--short|--trips|--bytes] [GROUP…]: measure the cost of recordings, in a guest with --icount and one
# CPU; see tests/bench/run. Without a GROUP, measure bare, path, net, full, plain, bpftrace and pwru. The groups are:
#
#   bare                        no recording
#   path, net, full             recordings with this --detail
#   plain, bpftrace, pwru       other tools: trace-cmd's function_graph, bpftrace and pwru
#   ring_LEVEL                  a recording with --ring, while it waits; LEVEL is path, net or full
#   why_LEVEL, sched_LEVEL      recordings with --why or --sched; LEVEL is path or net
#   expression_LEVEL            a recording that selects packets by an expression
#   command_LEVEL               a recording that follows a command
#   waiting_LEVEL               a recording, while a matching packet waits in a socket
#   hooks_bare, hooks_[waiting_][without_]LEVEL    BPF programs at hooks of devices (hooks.sh)
#
#   --short   only unrelated round trips, and processes
#   --trips   only unrelated round trips; if it stands between two groups, it applies to the later groups
#   --bytes   only the size of files, in a guest without --icount. With --icount, times repeat, and files would be
#             smaller than on a real machine.
#
# Each figure is a line in $OUT/figures: SETTING WHAT VALUE, separated by tabs.
#
# The traffic goes from A to B: directly to 10.7.0.2, and to 10.8.0.2 through R with its packet filter. It
# uses port 7001, and the recordings select port 9000. Documentation/performance.md explains the figures.
. "$(dirname "$0")/../system/lib/lib.sh"
bench=$(cd "$(dirname "$0")" && pwd)
. "$bench/network.sh"
. "$bench/hooks.sh"
short=
trips=
only_bytes=
running=
case ${1:-} in
--short) short=y && shift ;;
--trips) short=y trips=y && shift ;;
--bytes) only_bytes=y && shift ;;
esac
# work ARGS…: do this work, and print its cost. In a round trip, a packet wakes the other process. With the
# policy "batch", that process cannot preempt the sender. Otherwise, a process would sleep once less in some
# round trips, and these would cost less.
work() {
	chrt --batch 0 /tmp/work "$@"
}

# The guest's clock also runs while the host reads a file for the guest, so a time limit in the guest means
# nothing. Only the host can detect a hang.
wait_seconds=1000000

# figure SETTING WHAT VALUE: append one figure to $OUT/figures
figure() {
	[ -n "$3" ] || fail "$1: no $2"
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" | tee -a "$OUT/figures"
}

network() {
	direct_link
	ip netns exec R nft -f "$bench/forward.nft"
}

# start_running: start a process that exists before the recording starts. unmatched() then measures its file
# operations. The process has a low priority, because otherwise the recording would take twice as long to
# start.
start_running() {
	[ -z "$trips" ] || return 0
	rm -f /tmp/go
	UNTIL=/tmp/go nice -n 19 /tmp/work file - 3 >/tmp/running &
	running=$!
}

# unmatched SETTING: measure the work while none of its packets match
unmatched() {
	if [ -n "$running" ]; then
		: >/tmp/go
		wait "$running" || fail "the process that was running"
		running=
		figure "$1" file_running "$(cat /tmp/running)"
		figure "$1" file "$(work file - 3)"
	fi
	figure "$1" udp "$(work udp 10.7.0.2 5)"
	figure "$1" tcp "$(work tcp 10.7.0.2 5)"
	[ -z "$trips" ] || return 0
	# Do few repetitions: starting a process costs as much as forty round trips.
	figure "$1" process "$(work process 10.7.0.2 "$([ -n "$short" ] && echo 1 || echo 3)")"
	[ -z "$short" ] || return 0
	figure "$1" connect "$(work connect 10.7.0.2 3)"
	figure "$1" bulk "$(work bulk 10.7.0.2 3)"
	figure "$1" forward "$(work udp 10.8.0.2 3)"
}

# hundredth SETTING: measure UDP while one round trip in a hundred matches the filter (6 of 600)
hundredth() {
	figure "$1" udp_1_percent "$(work udp 10.7.0.2 5 100)"
}

# bytes SETTING BEGIN…: measure the size of two recordings. The command BEGIN starts each of them. The first
# recording has no packet; its size is also stored in $empty. During the second recording, one round trip in
# a hundred matches. The figure is the number of bytes that each match adds to the file.
bytes() {
	"${@:2}"
	finish "$recorder"
	empty=$(stat -c %s /tmp/trace.dat)
	figure "$1" empty_file "$empty"
	"${@:2}"
	work udp 10.7.0.2 5 100 >/dev/null
	finish "$recorder"
	figure "$1" bytes_1_percent $((($(stat -c %s /tmp/trace.dat) - empty) / 6))
}

# our_bytes DETAIL: measure the size of an empty recording, and how many bytes each matching packet adds to
# the file: once when few packets match, and once when all packets match
our_bytes() {
	local empty packets
	bytes "$1" begin_ours "$1"
	begin_ours "$1"
	work udp 10.7.0.2 1 1 >/dev/null
	work udp 10.8.0.2 1 1 >/dev/null
	finish "$recorder"
	packets=$(sed -n 's/^\([0-9]*\) packets matched.*/\1/p' "$OUT/said")
	figure "$1" bytes_a_packet $((($(stat -c %s /tmp/trace.dat) - empty) / packets))
}

# matched SETTING: measure the work while all of its packets match
matched() {
	figure "$1" udp_all "$(work udp 10.7.0.2 1 1)"
	figure "$1" forward_all "$(work udp 10.8.0.2 1 1)"
}

# A shell command that saves the CPU times of all processes and kernel threads in /tmp/times. It succeeds even
# if a process exits while its file is read.
note_times='cat /proc/[0-9]*/stat >/tmp/times 2>/dev/null; true'

# busy [noted]: print how many millions of instructions all processes and kernel threads have executed since
# the boot. With "noted", use the CPU times that note_times saved earlier. When a process ends, its times
# are added to those of its parent. Interrupts in idle time are not counted. Their number depends on the
# host: while the host reads a file for the guest, the guest's clock runs on from timer to timer.
busy() {
	[ "${1:-}" = noted ] || sh -c "$note_times"
	awk '{ sub(/^.*\) /, ""); sum += $12 + $13 + $14 + $15 } END { printf "%.0f\n", sum * 10 }' /tmp/times
}

# finish PID: end the recorder PID, and wait until it has written its file. Set $took to the millions of
# instructions that this takes.
finish() {
	took=$(busy)
	kill -INT "$1"
	wait "$1" || fail "it ended with status $?: $(cat "$OUT/said")"
	took=$(($(busy) - took))
}

# whole SETTING first_start|start COMMAND…: let the recorder COMMAND record a command that does nothing.
# Measure the instructions until the recorded command starts. For "start", also measure the instructions from
# the start of the recorded command to the end of the recorder.
whole() {
	local begin command end
	begin=$(busy)
	"${@:3}" sh -c "$note_times" >"$OUT/said" 2>&1 || fail "${*:3}: $(cat "$OUT/said")"
	command=$(busy noted)
	end=$(busy)
	figure "$1" "$2" "$((command - begin))"
	[ "$2" = first_start ] || figure "$1" end "$((end - command))"
}

# begin_ours DETAIL [OPTION…]: start a recording by record-skb, which finish() ends. Sets $recorder.
begin_ours() {
	trace-cmd record-skb -o /tmp/trace.dat --detail "$1" -p 9000 "${@:2}" >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "matching" ended_or armed
}

# ended_or COMMAND…: run COMMAND, which tests if an event has happened. Fail if the recorder has exited,
# because then the event cannot happen any more.
ended_or() {
	kill -0 "$recorder" || fail "it has ended: $(cat "$OUT/said")"
	"$@"
}

ours() {
	local start
	start_running
	begin_ours "$1"
	unmatched "$1"
	if [[ " $groups " == *" waiting_$1 "* ]]; then
		one_waits "$1"
	fi
	finish "$recorder"
	[ -z "$short" ] || return 0

	begin_ours "$1"
	hundredth "$1"
	finish "$recorder"

	begin_ours "$1"
	matched "$1"
	finish "$recorder"
	for start in first_start start; do
		whole "$1" $start trace-cmd record-skb -o /tmp/trace.dat --detail "$1" -p 9000 --
	done
}

# ring DETAIL: measure a recording with --ring and --detail DETAIL while it waits for a drop
ring() {
	begin_ours "$1" --ring 8M --until drop=NETFILTER_DROP
	unmatched "ring_$1"
	hundredth "ring_$1"
	matched "ring_$1"
	finish "$recorder"
}

# why DETAIL: measure a recording with --why and --detail DETAIL
why() {
	begin_ours "$1" --why
	unmatched "why_$1"
	hundredth "why_$1"
	matched "why_$1"
	finish "$recorder"
}

# sched DETAIL: measure a recording with --sched and --detail DETAIL
sched() {
	begin_ours "$1" --sched
	unmatched "sched_$1"
	hundredth "sched_$1"
	matched "sched_$1"
	finish "$recorder"
}

# held: make the pipe /tmp/held. A process that reads the pipe waits until something is written to it.
held() {
	rm -f /tmp/held
	mkfifo /tmp/held
}

# other_filter SETTING OPTION…: measure UDP and TCP while a recording with these options waits for its packets
other_filter() {
	trace-cmd record-skb -o /tmp/trace.dat "${@:2}" >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "matching" ended_or armed
	trips=y short=y unmatched "$1"
	finish "$recorder"
}

# command_followed DETAIL: measure a recording that follows a command, and the millions of instructions until
# the command starts. The command writes to a pipe when it starts: polling for the start would add
# instructions.
command_followed() {
	local begin said
	held
	rm -f /tmp/started
	mkfifo /tmp/started
	exec 7<>/tmp/started
	begin=$(busy)
	{
		trace-cmd record-skb -o /tmp/trace.dat --detail "$1" -- sh -c "$note_times"'
			echo started >/tmp/started; exec cat /tmp/held' >"$OUT/said" 2>&1 7>&- && set -- 0 || set -- $?
		echo "ended $1" >&7
	} &
	read -r said <&7
	[ "$said" = started ] || fail "$said: $(cat "$OUT/said")"
	figure "command_$1" start $(($(busy noted) - begin))
	trips=y short=y unmatched "command_$1"
	: >/tmp/held
	read -r said <&7
	[ "$said" = "ended 0" ] || fail "$said: $(cat "$OUT/said")"
	exec 7>&-
}

# one_waits DETAIL: measure unrelated work while a matching datagram waits in a socket, because no program
# reads it
one_waits() {
	local reader
	held
	in_b perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 17); bind(S, pack_sockaddr_in(9000, INADDR_ANY)) or die;
		open(F, "<", "/tmp/held")' &
	reader=$!
	wait_for "the reader" udp_listening B 9000
	in_a bash -c 'echo one >/dev/udp/10.7.0.2/9000'
	trips=y short=y unmatched "waiting_$1"
	: >/tmp/held
	wait "$reader"
}

# waiting DETAIL: start a recording for one_waits(), unless ours() has already called one_waits() with this
# DETAIL.
waiting() {
	! grep -q "^waiting_$1	" "$OUT/figures" || return 0
	begin_ours "$1"
	one_waits "$1"
	finish "$recorder"
}

tracing_is_on() {
	[ "$(cat "$tracing/current_tracer")" = function_graph ] && [ "$(cat "$tracing/tracing_on")" = 1 ]
}

# begin_plain FUNCTION: start a recording with function_graph of FUNCTION and the functions that it calls.
# finish() ends it. Sets $recorder.
begin_plain() {
	trace-cmd record -o /tmp/trace.dat -p function_graph -g "$1" >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "function_graph" ended_or tracing_is_on
}

plain() {
	begin_plain kernel_restart
	unmatched plain_never
	finish "$recorder"
	begin_plain ip_rcv
	unmatched plain_ip_rcv
	finish "$recorder"
	[ -z "$short" ] || return 0
	begin_plain ip_rcv
	hundredth plain_ip_rcv
	finish "$recorder"
}

# bpftrace_program: print a program for bpftrace that compares the ports at our probe points, as our filter
# does
bpftrace_program() {
	trace-cmd record-skb --list-points | awk -f "$bench/bpftrace.awk"
}

peer_bpftrace() {
	bpftrace_program >/tmp/ports.bt
	bpftrace /tmp/ports.bt >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "bpftrace" ended_or grep -q ready "$OUT/said"
	unmatched bpftrace
	finish "$recorder"
}

peer_pwru() {
	pwru --ready-file /tmp/ready 'port 9000' >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "pwru" ended_or test -e /tmp/ready
	unmatched pwru
	# Stop the process that reads pwru's output, so that the second measurement contains only the cost in
	# the kernel.
	kill -STOP "$recorder"
	unmatched pwru_kernel
	kill -CONT "$recorder"
	finish "$recorder"
}

group() {
	if [ -n "$only_bytes" ]; then
		case $1 in
		path | net | full) our_bytes "$1" ;;
		plain) bytes plain_ip_rcv begin_plain ip_rcv ;;
		esac
		return
	fi
	case $1 in
	bare) start_running && unmatched bare ;;
	path | net | full) ours "$1" ;;
	ring_path | ring_net | ring_full) ring "${1#ring_}" ;;
	why_path | why_net) why "${1#why_}" ;;
	sched_path | sched_net) sched "${1#sched_}" ;;
	expression_*) other_filter "$1" --detail "${1#*_}" 'udp port 9000' ;;
	command_*) command_followed "${1#*_}" ;;
	waiting_*) waiting "${1#*_}" ;;
	hooks_*) hooks "${1#hooks_}" ;;
	plain) plain ;;
	bpftrace) peer_bpftrace ;;
	pwru) peer_pwru ;;
	*) fail "no group $1" ;;
	esac
}

groups=$*
: >"$OUT/figures"
cp "$(made_on_host work)" /tmp/work
network
# Enlarge the trace buffers before the first measurement. They keep this size after a recording, so every
# measurement has the same buffers.
read -r buffers _ <"$tracing/buffer_size_kb"
at_exit sh -c "echo $buffers >$tracing/buffer_size_kb"
echo 4096 >"$tracing/buffer_size_kb"
if [ $# = 0 ]; then
	set -- bare path net full plain
	for peer in bpftrace pwru; do
		! command -v $peer >/dev/null || set -- "$@" $peer
	done
fi
for name; do
	case $name in
	--trips) trips=y ;;
	*) group "$name" ;;
	esac
done
