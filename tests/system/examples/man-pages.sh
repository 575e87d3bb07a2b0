#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the examples of the man pages work as printed; each example has a test
# requires: nft curl tcpdump
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

pages=$top/Documentation/trace-cmd
cd "$OUT"
two_namespaces
# B drops every other SYN to port 80, so the client has to send it again.
in_b nft -f - <<END
table inet no {
	counter requests { }
	counter dropped { }
	counter resets { }
	chain in {
		type filter hook input priority 0;
		tcp dport 80 counter name requests
		tcp dport 80 tcp flags syn numgen inc mod 2 0 counter name dropped drop
		udp dport 443 drop
	}
	chain out {
		type filter hook output priority 0;
		tcp flags rst counter name resets
	}
}
END
mkdir -p /etc/netns/A
at_exit rm -r /etc/netns/A
echo '10.9.0.2 example.net' >/etc/netns/A/hosts
# Keep curl from asking a name server for the IPv6 address, because none can be reached.
echo 'hosts: files' >/etc/netns/A/nsswitch.conf
cat >/tmp/web <<'END'
#!/bin/sh
read -r line
printf 'HTTP/1.0 200 OK\r\n\r\nhello\n'
END
chmod +x /tmp/web
background in_b socat TCP-LISTEN:80,reuseaddr,fork EXEC:/tmp/web
echo_server B 9000
wait_for "the web server" listening B 80

# examples PAGE: print the commands in the section EXAMPLES of this man page, one on each line
examples() {
	sed -n '/^EXAMPLES$/,/^LICENSE$/s/^    \(# \)\{0,1\}\(.*\)/\2/p' "$pages/trace-cmd-$1.1.txt"
}

# run_during COMMAND SAID DO…: start COMMAND. When it has begun to record, run DO. When COMMAND has printed
# SAID, end it as Ctrl-C does.
run_during() {
	local command=$1 wanted=$2 story
	shift 2
	# Remove the output file of the previous command.
	rm -f said
	setsid bash -c "$command" >shown 2>said &
	story=$!
	wait_for "the recording" grep -qs 'recording until' said
	"$@"
	wait_for "$wanted" grep -qs "$wanted" said
	kill -INT -- -$story
	wait $story
}

# numbers FILE OPTION…: print how many packets report-skb shows in the recording FILE
numbers() {
	trace-cmd report-skb --list -i "$@" 2>/dev/null | grep -c '^ *[0-9]'
}

udp() {
	in_a bash -c "echo >/dev/udp/10.9.0.2/$1"
}

refused() {
	in_a curl -s http://10.9.0.2:9/ || [ $? = 7 ]
}

# recording: make the recording for the examples of report-skb
recording() {
	in_a trace-cmd record-skb -q --detail path --why -- bash -c 'curl -s http://example.net/; echo >/dev/udp/10.9.0.2/53' >shown
}

# try EXAMPLE: run the example with the traffic that it needs, and check its output
try() {
	local file
	case $1 in
	"trace-cmd record-skb "*"-- curl "*)
		in_a bash -c "$1" >shown 2>said
		has "$(cat shown)" '^hello$' "$1"
		;;
	*" -p 9000 --detail full")
		run_during "$1" 'recording until' client A 10.9.0.2 9000 hello
		has "$(trace-cmd report 2>/dev/null)" "$(line_of tcp_v4_rcv '# tcp 10.9.0.1:* > 10.9.0.2:9000')" "$1"
		;;
	*"tcp-rst != 0'")
		run_during "$1" 'recording until' refused
		is "$(numbers trace.dat)" "$(packets_of B inet no resets)" "$1: as many as nft has seen"
		;;
	*" --ring "*" --keep "*)
		rm -f trace.dat
		run_during "$1" 'was dropped: ' udp 443
		file=$(sed -n 's/.* was dropped: //p' said)
		is "$(numbers "$file" --dropped)" 1 "$1"
		;;
	*" --persistent kept "* | *" --recover kept "*)
		# The guest has no persistent instance. losses/recover-after-panic tests this example with
		# one.
		is "$(status_of bash -c "$1") $(cat "$OUT/stderr")" "125 trace-cmd record-skb: the tracing instance 'kept' does not exist: add reserve_mem=20M:64K:trace \
trace_instance=kept@trace to the kernel's command line, which creates an instance that survives a crash" "$1: without such an instance"
		;;
	*" --live "*"| grep dropped")
		run_during "$1" 'recording until' udp 443
		has "$(cat shown)" '^ *1 .* udp .*:443 .*NETFILTER_DROP' "$1"
		;;
	"trace-cmd report-skb") has "$(bash -c "$1")" '^next: trace-cmd report-skb ' "$1" ;;
	"trace-cmd report-skb --list | grep dropped")
		is "$(bash -c "$1" | grep -c ':80 .*NETFILTER_DROP')" "$(packets_of B inet no dropped)" "$1: packets dropped by nftables"
		;;
	"trace-cmd report-skb --why") has "$(bash -c "$1")" 'chain in: the rule with handle' "$1: the rule" ;;
	"trace-cmd report-skb --latency") has "$(bash -c "$1" 2>&1)" '^longest gap .*s: ' "$1" ;;
	"trace-cmd report-skb port 53")
		recording
		has "$(bash -c "$1")" '^ *[0-9]+ .* udp .*:53 .*dropped in ' "$1"
		;;
	"trace-cmd report-skb --assert "*) is "$(status_of bash -c "$1")" 4 "$1: nft has dropped packets" ;;
	"trace-cmd report-skb --packet 3") has "$(bash -c "$1")" '#3 ' "$1" ;;
	"trace-cmd report-skb --pcap out.pcapng") bash -c "$1" ;;
	"tcpdump -r out.pcapng") is "$(bash -c "$1" 2>/dev/null | grep -c ' IP ')" "$((2 * $(numbers trace.dat)))" "$1: each packet, on both devices" ;;
	*" --on client,router,server "*)
		# The guest cannot reach the hosts of this example. hosts/on-hosts tests it with hosts.
		is "$(status_of bash -c "$1")" 125 "$1: without such hosts"
		has "$(cat "$OUT/stderr")" '^client: not recorded' "$1: the hosts that did not record"
		;;
	"trace-cmd report-skb trace-client.dat "*)
		[ "$(status_of bash -c "$1")" != 0 ] || fail "$1: there are no such files"
		has "$(cat "$OUT/stderr")" 'trace-client.dat' "$1: without such files"
		;;
	*) fail "no test for this example: $1" ;;
	esac
}

recording
examples report-skb >examples
examples record-skb >>examples
[ "$(wc -l <examples)" -ge 12 ] || fail "the pages' examples were not found"
while IFS= read -r example <&3; do
	try "$example"
done 3<examples
