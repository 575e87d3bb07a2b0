#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: Ctrl-C ends a recording under traffic, with and without a command, and the file can be read
# tags: long
# requires: script
# timeout: 150

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
background_stream -c
# Named pipes do not work on the file system of $OUT.
keys=$(mktemp -u)
at_exit rm -f "$keys"

# typed COMMAND: run COMMAND in a terminal, press Ctrl-C once it records, and print the exit status.
typed() {
	local status=0
	rm -f "$keys" "$OUT/trace.dat"
	mkfifo "$keys"
	# A background process ignores Ctrl-C, and its children inherit this. env restores the default.
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

# complete: check that all packets that were recorded before Ctrl-C can be read
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
