# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# probe-counts.sh - other tracers that count the calls of two probe points, and nftables and nstat as the witnesses
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

two_namespaces
traffic=$(program traffic)
others=$(program others)
for port in 9000 9001; do
	background in_b "$traffic" hoard $port 100000
	wait_for "a receiver on port $port" udp_listening B $port
done
# The kernel's counters show the number of calls. Each call of udp_sendmsg() sends one datagram, which nstat
# counts. Each call of ip_rcv() receives one packet, which nftables counts.
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table ip witness {
			counter came { }
			chain came {
				type filter hook prerouting priority -450;
				counter name came
			}
		}
	END
done

counted() {
	local ns
	case $1 in
	udp_sendmsg) in_a nstat -asz UdpOutDatagrams | awk '/^Udp/ { print $2 }' ;;
	ip_rcv)
		for ns in A B; do
			ip netns exec $ns nft list counter ip witness came
		done | awk '/packets/ { n += $2 } END { print n }'
		;;
	esac
}

# answered FUNCTION: true if the BPF program at FUNCTION has printed its count
answered() {
	[ -s "/tmp/$1.bpf" ] && [ -z "$(tail -n 1 "/tmp/$1.bpf" | tr -d '\0')" ]
}

# others_begin: attach a kprobe, a kretprobe, a function tracer and BPF programs to udp_sendmsg() and ip_rcv()
# others_end: detach them
functions="udp_sendmsg ip_rcv"
others_begin() {
	local function
	at_exit others_end
	mkdir "$tracing/instances/probes"
	for function in $functions; do
		echo "p:others/${function}_in $function"
		echo "r:others/${function}_out $function"
	done >>"$tracing/kprobe_events"
	echo 1 >"$tracing/instances/probes/events/others/enable"
	for function in $functions; do
		mkdir "$tracing/instances/$function"
		echo "$function" >"$tracing/instances/$function/set_ftrace_filter"
		echo function >"$tracing/instances/$function/current_tracer"
		mkfifo "/tmp/$function.ask"
		"$others" "$function" <"/tmp/$function.ask" >>"/tmp/$function.bpf" &
		eval "$function=$!"
		eval "exec {${function}_ask}>/tmp/$function.ask"
		wait_for "BPF to count" answered "$function"
	done
}
others_end() {
	local function ask
	for function in $functions; do
		ask=${function}_ask
		[ -z "${!ask:-}" ] || eval "exec ${!ask}>&-"
		[ -z "${!function:-}" ] || stop "${!function}"
		rm -f "/tmp/$function.ask" "/tmp/$function.bpf"
		[ ! -d "$tracing/instances/$function" ] || rmdir "$tracing/instances/$function"
	done
	[ ! -d "$tracing/instances/probes" ] || {
		echo 0 >"$tracing/instances/probes/events/others/enable"
		rmdir "$tracing/instances/probes"
	}
	echo >"$tracing/kprobe_events"
}

# seen FUNCTION: for each other tracer, print its name and how many calls of FUNCTION it has counted
seen() {
	local ask=${1}_ask
	awk -v name="$1" '$1 == name "_in" { print "kprobe", $2 + $3 } $1 == name "_out" { print "kretprobe", $2 + $3 }' \
		"$tracing/kprobe_profile"
	awk '/^(entries|overrun):/ { n += $2 } END { print "function", n }' "$tracing/instances/$1"/per_cpu/cpu*/stats
	: >"/tmp/$1.bpf"
	echo >&"${!ask}"
	wait_for "the count of BPF" answered "$1"
	grep . "/tmp/$1.bpf"
}

# sent: send 205 datagrams that match and 105 that do not match. Each run of "number" adds five end marks to
# its datagrams.
sent() {
	in_a "$traffic" number 10.9.0.2 9000 200
	in_a "$traffic" number 10.9.0.2 9001 100
}

# compared WHEN FUNCTION WAS EXTRA: check how many calls of FUNCTION each other tracer has counted. WAS is the
# value of the kernel's counter when the counting began. Since then, each tracer must have counted as many
# calls as the kernel, and EXTRA calls in addition: this is the number of calls that open a graph, which the
# tracer counts twice (see below). WHEN is a text for messages, such as "during a recording".
compared() {
	local name count was
	seen "$2" | sort >"$OUT/$2.now"
	while read -r name was count; do
		is $((count - was)) $(($(counted "$2") - $3 + $4)) "$1: calls of $2 that $name has seen"
	done < <(join "$OUT/$2.was" "$OUT/$2.now")
}

# agree WHEN EXTRA: send datagrams, and check the counts of all tracers with compared. EXTRA is the number of
# calls of udp_sendmsg() that open a graph.
agree() {
	local calls packets function
	calls=$(counted udp_sendmsg)
	packets=$(counted ip_rcv)
	for function in $functions; do
		seen "$function" | sort >"$OUT/$function.was"
	done
	sent
	compared "$1" udp_sendmsg "$calls" "$2"
	compared "$1" ip_rcv "$packets" 0
	[ $(($(counted udp_sendmsg) - calls)) = 310 ] || fail "$(counted udp_sendmsg) - $calls datagrams were sent"
}

record() {
	trace-cmd record-skb "${few[@]}" -b 16384 -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	recording=$!
	wait_for "the recording" armed
}

record_ends() {
	kill -INT "$recording"
	wait "$recording"
	nothing_lost "$OUT/said"
}

# The other tracers count a call when it passes the ftrace site of its function. A matching call that opens
# a graph passes this site twice, because the gate calls the function again. Other calls pass it once: calls
# that do not match, and matching calls inside a graph, such as those of ip_rcv() here.
twice=205
