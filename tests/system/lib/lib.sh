# SPDX-License-Identifier: GPL-2.0
# Each system test begins with this line:  . "$(dirname "$0")/../lib/lib.sh"
#
# A test is one file, tests/system/AREA/BEHAVIOUR.sh, about one behaviour. It runs alone as root in a guest, with
# the product installed and an empty directory $OUT. The test passes by exit status 0, fails by calling fail or
# by an error, and is skipped by calling skip. Comments at its top are:
#
#   # description: one line          what the test checks (required)
#   # requires: PROGRAM /FILE …      skip the test if a program or a file does not exist
#   # kernels: 6.1 newest            run the test on these kernels only (default: on all kernels)
#   # tags: main long slow           words that select tests. `make check` leaves out "long" and "slow", and also
#                                    runs "main" on the newest kernel.
#   # timeout: SECONDS               time limit on an idle machine (default: 120)
#   # vm: --smp 1 --qemu "…"         run the test in a guest with these options of tests/vm/run. With --hosts,
#                                    the test runs in the first of several guests (guests.sh).
#   # host: COMMAND                  run this command on the host before the test; its path begins below tests
#
# After each test, the runner (tests/batch) checks that the module is unloaded, the settings of tracing are as
# before, no namespace is left, and the kernel has not complained. Tests need not check this themselves.

set -eu -o pipefail

tracing=/sys/kernel/tracing
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # tests use it
top=$(cd "$here/../../.." && pwd)
skipped=4
# After this time, even a busy machine or the debug kernel must have finished. A longer wait is a hang.
wait_seconds=180
[ "$VM_KERNEL" != debug ] || wait_seconds=600

# Verdicts ------------------------------------------------------------------------------------------------------

ok() {
	echo "ok - $*"
}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

skip() {
	echo "SKIPPED: $*" >&2
	exit "$skipped"
}

# is GOT WANTED WHAT: check that GOT and WANTED are equal
is() {
	[ "$1" = "$2" ] || fail "$3: got \"$1\", wanted \"$2\""
	ok "$3"
}

# line_of FUNCTION TEXT: print a regular expression that matches lines of the graph. FUNCTION is a regular
# expression for the function. TEXT is the annotation, such as "#1 tcp 10.9.0.1:* > 10.9.0.2:9000". In TEXT,
# a star stands for any number, and so does a # without a number.
line_of() {
	local text
	text=$(sed -E 's/[]^$.|()[]/\\&/g; s/#( |$)/#*\1/; s/\*/[0-9]+/g' <<<"$2")
	echo "(^|[^a-z0-9_])($1)\\(\\).* /\\* $text( |\$)"
}

# has TEXT PATTERN WHAT: check that a line of TEXT matches the extended regular expression PATTERN
has() {
	grep -Eq -e "$2" <<<"$1" || fail "$3: nothing matches \"$2\" in:
${1:0:2000}"
	ok "$3"
}

# has_not TEXT PATTERN WHAT: check that no line of TEXT matches PATTERN
has_not() {
	local line
	if line=$(grep -E -m 1 -e "$2" <<<"$1"); then
		fail "$3: this matches \"$2\": $line"
	fi
	ok "$3"
}

# status_of COMMAND…: run COMMAND and print its exit status. The output of COMMAND goes to $OUT/stdout and
# $OUT/stderr.
status_of() {
	local status=0
	"$@" >"$OUT/stdout" 2>"$OUT/stderr" || status=$?
	echo "$status"
}

# random_seed: print the seed of a random test, and set $RANDOM and $seed. SEED in the environment repeats an
# earlier run.
random_seed() {
	seed=${SEED:-$(date +%s)}
	RANDOM=$seed
	echo "seed $seed (repeat with SEED=$seed in the environment)"
}

# If a failed command ends the test (set -e), print its line.
trap 'echo "${BASH_SOURCE[0]##*/}:$LINENO: \"$BASH_COMMAND\" failed" >&2' ERR
set -E

# Cleaning up ---------------------------------------------------------------------------------------------------

at_exit_commands=()

# at_exit COMMAND…: run COMMAND when the test ends, whether it passes or fails. The newest command runs first.
at_exit() {
	at_exit_commands=("$(printf '%q ' "$@")" ${at_exit_commands[@]+"${at_exit_commands[@]}"})
}

at_exit_run() {
	local status=$? command
	set +e
	trap - ERR
	for command in ${at_exit_commands[@]+"${at_exit_commands[@]}"}; do
		if ! eval "$command"; then
			echo "FAILED: cleaning up: $command" >&2
			[ "$status" != 0 ] || status=1
		fi
	done
	exit "$status"
}
trap at_exit_run EXIT
trap 'exit 143' TERM

# stop PID: kill a process, and wait until it has exited. If the process is a shell around a function such as
# in_a, kill its child, too.
stop() {
	kill $(pgrep -P "$1") "$1" 2>/dev/null || return 0
	# Ignore the exit status, which only says that the process was killed.
	wait "$1" 2>/dev/null || return 0
}

# background COMMAND…: start COMMAND, and stop it when the test ends. $! is its PID.
background() {
	"$@" &
	at_exit stop $!
}

# ends_killed PID: wait for a child process. SIGKILL must have ended it.
ends_killed() {
	local status=0
	wait "$1" 2>/dev/null || status=$?
	[ "$status" = 137 ] || fail "process $1 ended with status $status, not by SIGKILL"
}

# Waiting -------------------------------------------------------------------------------------------------------

# pause SECONDS: same as sleep(1), but without a new process. On an emulated CPU, starting a process can take
# longer than the pause.
exec {never}<> <(:)
pause() {
	read -rt "$1" -u "$never" || :
}

# wait_for WHAT COMMAND…: repeat COMMAND until it succeeds. After WAIT_SECONDS the test fails, because this is
# a hang even in the slow emulator.
wait_for() {
	local what=$1 end=$((SECONDS + ${WAIT_SECONDS:-$wait_seconds}))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || fail "waited too long for: $what"
		pause 0.1
	done
}

# as_long SECONDS: print how many seconds this kernel needs for work that takes SECONDS on the other
# kernels.
as_long() {
	[ "$VM_KERNEL" = debug ] && echo $(($1 * 8)) || echo "$1"
}

# listening NAMESPACE PORT: true if a TCP socket of NAMESPACE listens on PORT.
listening() {
	[ -n "$(ip netns exec "$1" ss -Hltn "sport = :$2")" ]
}

# udp_listening NAMESPACE PORT: true if a UDP socket of NAMESPACE is bound to PORT.
udp_listening() {
	[ -n "$(ip netns exec "$1" ss -Hlun "sport = :$2")" ]
}

# The network ---------------------------------------------------------------------------------------------------

# two_namespaces:
#
#    ┌──── A ────┐            ┌──── B ────┐
#    │           │            │           │
#    │  10.9.0.1 │            │ 10.9.0.2  │
#    │   fd09::1 va ──────── vb fd09::2   │
#    │           │            │           │
#    └───────────┘            └───────────┘
#
# The guest's first namespace reaches neither.
two_namespaces() {
	ip netns add A
	at_exit ip netns del A
	ip netns add B
	at_exit ip netns del B
	veth_link
}

# veth_link: make the link of two_namespaces. A test can call this again after it has unloaded veth.
veth_link() {
	ip link add va netns A type veth peer name vb netns B
	ip -n A -batch - <<-END
		link set lo up
		address add 10.9.0.1/24 dev va
		address add fd09::1/64 dev va nodad
		link set va up
	END
	ip -n B -batch - <<-END
		link set lo up
		address add 10.9.0.2/24 dev vb
		address add fd09::2/64 dev vb nodad
		link set vb up
	END
	wait_for "the link between A and B" in_a ping -c 1 -W 1 10.9.0.2
}

# neighbours_known: let A and B know each other's link-layer address permanently, so that they send no ARP
# packets
neighbours_known() {
	local ns dev its other address
	while read -r ns dev its other address; do
		ip -n "$ns" neighbour replace "$address" dev "$dev" lladdr "$(ip netns exec "$other" cat "/sys/class/net/$its/address")" \
			nud permanent
	done <<-END
		A va vb B 10.9.0.2
		B vb va A 10.9.0.1
	END
}

# three_namespaces: a router between A and B
#
#    ┌──── A ────┐            ┌───────── R ─────────┐            ┌──── B ────┐
#    │           │            │                     │            │           │
#    │  10.9.0.1 │            │ 10.9.0.254          │            │ 10.8.0.2  │
#    │   fd09::1 va ──────── ra fd09::fe            │            │           │
#    │           │            │          10.8.0.254 │            │           │
#    │           │            │           fd08::fe rb ──────── vb fd08::2    │
#    └───────────┘            └─────────────────────┘            └───────────┘
three_namespaces() {
	local ns
	for ns in A R B; do
		ip netns add $ns
		at_exit ip netns del $ns
		# With accept_dad, a router would send no packet that needs ARP during its first second.
		ip netns exec $ns sysctl -q net.ipv6.conf.default.accept_dad=0
	done
	ip link add va netns A type veth peer name ra netns R
	ip link add vb netns B type veth peer name rb netns R
	ip -n A -batch - <<-END
		link set lo up
		address add 10.9.0.1/24 dev va
		address add fd09::1/64 dev va nodad
		link set va up
		route add default via 10.9.0.254
		route add default via fd09::fe
	END
	ip -n R -batch - <<-END
		address add 10.9.0.254/24 dev ra
		address add fd09::fe/64 dev ra nodad
		address add 10.8.0.254/24 dev rb
		address add fd08::fe/64 dev rb nodad
		link set ra up
		link set rb up
	END
	ip -n B -batch - <<-END
		link set lo up
		address add 10.8.0.2/24 dev vb
		address add fd08::2/64 dev vb nodad
		link set vb up
		route add default via 10.8.0.254
		route add default via fd08::fe
	END
	ip netns exec R sysctl -q net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	wait_for "the way from A to B" in_a ping -c 1 -W 1 10.8.0.2
	wait_for "the way from A to B with IPv6" in_a ping -c 1 -W 1 fd08::2
}

in_a() {
	ip netns exec A "$@"
}

in_b() {
	ip netns exec B "$@"
}

# packets_of NAMESPACE FAMILY TABLE COUNTER: print how many packets a counter of nftables has seen
packets_of() {
	ip netns exec "$1" nft list counter "$2" "$3" "$4" | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

# count_in_both HOOK MATCH…: let nftables in A and in B count the packets at HOOK that match one of the
# MATCHes
# counted_in_both: print the sum of these counters
count_in_both() {
	local ns
	for ns in A B; do
		ip netns exec $ns nft -f - <<-END
			table ip counted {
				counter seen { }
				chain seen {
					type filter hook $1 priority 0;
					$(printf '%s counter name seen; ' "${@:2}")
				}
			}
		END
	done
}
counted_in_both() {
	echo $(($(packets_of A ip counted seen) + $(packets_of B ip counted seen)))
}

# capture_ends TCPDUMP: wait until tcpdump has written all captured packets, and then stop it. tcpdump must
# run with --immediate-mode: in this mode, it sleeps only after it has read all packets. Without the wait,
# SIGINT would make tcpdump drop packets that it has not read.
capture_ends() {
	wait_for "tcpdump's last packet" grep -q '^State:.S' "/proc/$1/status"
	kill -INT "$1"
	wait "$1" || fail "tcpdump failed"
}

# server NAMESPACE PORT: start an echo server for TCP over IPv4 and IPv6. It ends with the test.
server() {
	background ip netns exec "$1" socat "TCP6-LISTEN:$2,ipv6only=0,reuseaddr,fork" PIPE
	wait_for "a server on port $2 in $1" listening "$1" "$2"
}

# client NAMESPACE ADDRESS PORT TEXT: send TEXT to an echo server, and print the answer.
client() {
	local address=$2
	case $address in
	*:*) address="[$address]" ;;
	esac
	printf '%s\n' "$4" | ip netns exec "$1" socat -t 5 - "TCP:$address:$3"
}

# Tracing -------------------------------------------------------------------------------------------------------

# unread: print how many unread entries the trace buffer has. A recording must leave none.
unread() {
	cat "$tracing"/per_cpu/cpu*/stats | awk '/^entries:/ { sum += $2 } END { print sum }'
}

# tracing_settings: print all settings in tracefs that a test may change, as text that can be compared. Some
# changes last as long as the module is loaded. They are left out; see redirected() below.
tracing_settings() {
	cd "$tracing"
	# Not every kernel has all of these files.
	grep -s '' current_tracer tracing_on trace_clock trace_options options/* buffer_size_kb buffer_percent \
		tracing_cpumask tracing_thresh max_graph_depth saved_cmdlines_size set_event set_event_pid \
		set_event_notrace_pid set_ftrace_pid set_ftrace_notrace_pid set_ftrace_filter set_ftrace_notrace \
		set_graph_function set_graph_notrace enabled_functions kprobe_events uprobe_events dynamic_events \
		synthetic_events stack_trace_filter events/enable |
		sed "s/\(tramp\|ops\): 0x[0-9a-f]*/\1:/" || :
	echo "events' filters and triggers:"
	printf '%s\n' events/*/*/{filter,trigger} | xargs grep -Hvxe none -e '#.*' || :
	echo "instances:"
	ls instances 2>&1 || :
	cd "$OLDPWD"
}

# guest_state: print the settings of tracing_settings, and other things that a test may leave behind
guest_state() {
	tracing_settings
	echo "module:"
	grep '^record_skb ' /proc/modules || :
	echo "device:"
	ls /dev/record_skb 2>/dev/null || :
	echo "namespaces:"
	ip netns list
	[ ! -d /etc/netns ] || find /etc/netns -mindepth 1
	echo "processes:"
	local process name names
	# List the processes only with builtins of the shell. Otherwise the list would contain the programs
	# that make the list. Leave out kernel threads, which have no executable.
	names=$(for process in /proc/[0-9]*; do
		if [ -e "$process/exe" ] && read -r name <"$process/comm"; then
			echo "$name"
		fi
	done 2>/dev/null)
	sort <<<"$names"
	echo "devices:"
	ip -br link | awk '{ print $1, $2, $4 }'
	tc qdisc show | sed 's/ [0-9a-f]*: / /'
}

# Recording -----------------------------------------------------------------------------------------------------

# Patching all functions takes ten seconds in the emulator. Tests that do not examine the shape of the graph
# record only these functions.
# shellcheck disable=SC2034
few=(-l 'ip_*' -l 'tcp_*')

# without_plugin COMMAND…: run COMMAND without the plugin for trace-cmd report, as on a machine without
# record-skb
without_plugin() {
	local file plugin=
	for file in /usr/lib/*/traceevent/plugins/plugin_record_skb.so /usr/lib/traceevent/plugins/plugin_record_skb.so; do
		[ ! -e "$file" ] || plugin=$file
	done
	[ -n "$plugin" ] || fail "the plugin is not installed"
	mkdir -p "$OUT/plugins"
	find "$(dirname "$plugin")" -name '*.so' ! -name plugin_record_skb.so -exec cp {} "$OUT/plugins" \;
	unshare -m sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' - "$OUT/plugins" "$(dirname "$plugin")" "$@"
}

# program NAME: print the path of the test program that tests/vm/programs built from NAME.c. This is a copy in
# memory, because it starts faster.
program() {
	local made=/tmp/programs/$1
	if [ ! -e "$made" ]; then
		mkdir -p /tmp/programs
		cp "$(made_on_host "$1")" "$made.new" && mv "$made.new" "$made"
	fi
	echo "$made"
}

# made_on_host NAME: print the path of the original of a test program NAME, or of a module NAME.ko
made_on_host() {
	echo "$VM_BUILD/programs/$1"
}

# armed: true if the module is attached to ip_rcv and arming is complete. The module attaches before packets
# can match.
armed() {
	grep -q '^ip_rcv .* I ' "$tracing/enabled_functions" && "$(program ioctl)" wait
}

# redirected: print the functions that the module currently redirects to its gates
redirected() {
	sed -n 's/ .* I .*//p' "$tracing/enabled_functions"
}

# start_recording ARGS…: record to $OUT/trace.dat until stop_recording. Set $recording to the PID. The
# messages go to $OUT/said.
start_recording() {
	trace-cmd record-skb -o "$OUT/trace.dat" "$@" 2>"$OUT/said" &
	recording=$!
	at_exit stop $recording
	wait_for "the recording" armed
}
stop_recording() {
	kill -INT "$recording"
	wait "$recording" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}

# unrecorded: true if the tracer is off, the module is unloaded, and no process of a recording runs
unrecorded() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && ! grep -q '^record_skb ' /proc/modules &&
		! pgrep -f 'trace-cmd.record|record-skb-keep'
}

# echo_server NAMESPACE PORT…: start an echo server that never sleeps in a gate. It ends with the test.
echo_server() {
	local traffic
	traffic=$(program traffic)
	background ip netns exec "$1" "$traffic" echo "${@:2}"
	wait_for "a server on port $2 in $1" listening "$1" "$2"
}

# delivered NAMESPACE PORT COMMAND…: run COMMAND, which sends numbered packets to PORT in NAMESPACE. Print how
# they arrived. The output of COMMAND goes to $OUT/said. With family=-6, the packets are IPv6.
delivered() {
	local traffic collector
	traffic=$(program traffic)
	# shellcheck disable=SC2086
	ip netns exec "$1" "$traffic" ${family:-} collect "$2" >"$OUT/came" &
	collector=$!
	at_exit stop $collector
	wait_for "the collector" udp_listening "$1" "$2"
	"${@:3}" 2>"$OUT/said" || fail "${*:3}: $(cat "$OUT/said")"
	wait "$collector"
	cat "$OUT/came"
}

# background_stream [-c]: start a TCP stream and a UDP stream from A to the echo server on port 9000 in B.
# They check each byte. With -c they send slowly, for recordings of many functions.
# stream_ends: end both streams, and check that no byte was lost
background_stream() {
	local traffic
	traffic=$(program traffic)
	background ip netns exec B "$traffic" reflect 9000
	wait_for "the reflector" udp_listening B 9000
	ip netns exec A "$traffic" "$@" stream 10.9.0.2 9000 >"$OUT/stream" &
	stream=$!
	at_exit stop "$stream"
	ip netns exec A "$traffic" "$@" datagrams 10.9.0.2 9000 >"$OUT/datagrams" &
	datagrams=$!
	at_exit stop "$datagrams"
	wait_for "the stream" stream_flows
}

stream_ends() {
	kill -TERM "$datagrams"
	tcp_stream_ends
	local status=0
	wait "$datagrams" || status=$?
	is "$status" 0 "no datagram of the UDP stream was lost: $(cat "$OUT/datagrams")"
}

# tcp_stream_ends: end the TCP stream $stream, if it runs without the UDP stream
tcp_stream_ends() {
	local status=0
	kill -TERM "$stream"
	wait "$stream" || status=$?
	is "$status" 0 "the stream came back whole: $(cat "$OUT/stream") bytes"
}

# stream_flows: true if A has sent more than 50 packets since the first call of this function
stream_flows() {
	local now
	now=$(in_a cat /sys/class/net/va/statistics/tx_packets)
	[ -n "${stream_was:-}" ] || stream_was=$now
	[ "$now" -gt $((stream_was + 50)) ] && unset stream_was
}

# traffic_goes_on WHEN: check that the streams still send packets
traffic_goes_on() {
	unset stream_was
	wait_for "traffic $1" stream_flows
	ok "traffic goes on $1"
}

# balanced TRACE: check that each function entry in the trace has its exit, and that each graph begins with a
# gate
balanced() {
	trace-cmd report -R -i "$1" >"$OUT/raw"
	awk -f "$here/rows.awk" -f "$here/balanced.awk" "$OUT/raw" || fail "the graphs of $1 are not balanced"
}

# owners TRACE: check that each line of the report names the same packet or call as the events do
owners() {
	trace-cmd report -R -i "$1" >"$OUT/raw"
	trace-cmd report -i "$1" >"$OUT/report"
	awk -f "$here/rows.awk" -f "$here/owners.awk" "$OUT/raw" "$OUT/report" || fail "a line of $1 names another packet or call than the event"
}

# nothing_lost SAID: check that the recorder's summary in the file SAID reports no loss
nothing_lost() {
	has "$(cat "$1")" 'entries recorded, 0 lost' "nothing was lost"
}

# only_calls_lost FILE: check in the messages in FILE that no entry was lost, except for function calls. On Linux 6.1,
# function_graph's return stack may be full in the deepest calls.
only_calls_lost() {
	has "$(cat "$1")" 'entries recorded, (0 lost|([0-9]+) lost \(\2 function calls?: )' "no entry was lost, except for calls below a full return stack"
}

# next_is_right: make another recording. Check that it has all packets of a connection to port 9000 of B, and
# complete graphs.
next_is_right() {
	is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/next.dat" -p 9000 -- \
		"$(program traffic)" talk 10.9.0.2 1 9000)" 0 "the next recording"
	has "$(cat "$OUT/stderr")" '^[1-9][0-9]* packets matched' "has packets"
	nothing_lost "$OUT/stderr"
	balanced "$OUT/next.dat"
	owners "$OUT/next.dat"
}
