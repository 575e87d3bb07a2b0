#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: Ctrl-C ends a recording, with a command and without, in the middle of traffic, and the trace is there
# requires: script
# timeout: 150

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
background_stream -c
# The folder that $OUT is in has no pipes.
keys=$(mktemp -u)
at_exit rm -f "$keys"

# typed COMMAND: run in a terminal, where Ctrl-C is typed once it records; prints the exit status.
typed() {
	local status=0
	rm -f "$keys" "$OUT/trace.dat"
	mkfifo "$keys"
	# What runs in the background would ignore Ctrl-C, and so would the command.
	env --default-signal=INT,QUIT script -qec "$1" /dev/null <"$keys" >"$OUT/screen" 2>&1 &
	local terminal=$!
	exec 7>"$keys"
	wait_for "the recording" armed
	unset stream_was
	wait_for "traffic" stream_flows
	[ -z "${ready:-}" ] || wait_for "the command" test -e "$ready"
	printf '\003' >&7
	wait "$terminal" || status=$?
	exec 7>&-
	echo "$status"
}

# complete: what was recorded until then can be read.
complete() {
	has "$(tr -d '\r' <"$OUT/screen")" '[1-9][0-9]* packets matched, [1-9][0-9]* flows? seen$' "the summary is there"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #[0-9]+ tcp .*:9000' "the trace is there"
	wait_for "an end of all" unrecorded
	traffic_goes_on "afterwards"
}

record="exec trace-cmd record-skb ${few[*]@Q} -o $OUT/trace.dat -p 9000"

is "$(typed "$record")" 0 "Ctrl-C without a command"
complete
is "$(typed "$record -- sleep 1000")" 130 "Ctrl-C that ends the command"
complete
ready=$OUT/ready
cat >"$OUT/command" <<END
#!/bin/bash
trap 'exit 7' INT
touch $ready
while :; do sleep 0.1; done
END
chmod +x "$OUT/command"
is "$(typed "$record -- $OUT/command")" 7 "Ctrl-C that the command handles"
complete
stream_ends
