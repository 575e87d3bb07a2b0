#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: frames that a command sends below IP, and its packets of a tunnel protocol, are recorded; those of other senders are not
# tags: long
# requires: socat

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# frame NR: print a broadcast Ethernet frame with one of the ethertypes for experiments
frame() {
	printf '\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x88\xb5%046d' "$1"
}
for i in 1 2 3; do
	frame $i >"$OUT/frame.$i"
done
# send_others: send the same frames from another process in A
send_others() {
	local i
	while sleep 0.1; do
		for i in 1 2 3; do
			in_a socat -u "OPEN:$OUT/frame.$i" INTERFACE:va
		done
		echo others | in_a socat -u STDIN IP4-SENDTO:10.9.0.2:47
		echo >>"$OUT/others"
	done
}
background send_others
wait_for "the others" test -s "$OUT/others"

cat >"$OUT/command" <<'END'
for i in 1 2 3; do
	socat -u "OPEN:$OUT/frame.$i" INTERFACE:va || exit
done
echo mine | socat -u STDIN IP4-SENDTO:10.9.0.2:47 || exit
until [ "$(wc -l <"$OUT/others")" -gt "$1" ]; do sleep 0.1; done
END
in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -- bash "$OUT/command" $(($(wc -l <"$OUT/others") + 2)) \
	2>"$OUT/said" || fail "$(cat "$OUT/said")"
trace-cmd report -R -i "$OUT/trace.dat" >"$OUT/raw"

# sent FIELD VALUE: print the numbers of the packets with this value of FIELD, as recorded at
# __dev_queue_xmit
sent() {
	awk -v name="$1" -v value="$2" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END' | sort -u
		row() && event == "packet" && field("func") == "__dev_queue_xmit" && field(name) == value { print field("pkt") }
	END
}
is "$(sent ethertype $((0x88b5)) | wc -l)" 3 "the three frames of the command"
is "$(sent proto 47 | wc -l)" 1 "the packet of the command"
