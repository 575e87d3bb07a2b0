#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the file and its parts are readable for root alone: with any umask, over an older file, in each mode, after a kill
# tags: long
# requires: setpriv perl
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# A folder like /tmp, where an unprivileged user has made the file before.
folder=/tmp/for-root
mkdir -m 1777 "$folder"
at_exit rm -r "$folder"
cd "$folder"
# Debian lets root refuse such a file; not every distribution does.
at_exit sysctl -q "fs.protected_regular=$(sysctl -n fs.protected_regular)"
sysctl -q fs.protected_regular=0
umask 000
two_namespaces

as_user() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# spy: as an unprivileged user, make an older file, keep it open and try to read every new file. The result goes to $OUT/read.
spy() {
	rm -f trace.dat
	as_user sh -c 'umask 0; echo old >trace.dat'
	rm -f spied stop "$OUT/read"
	as_user perl -e 'open my $old, "<&=3"; open my $seen, ">", "spied"; do { $stop = -e "stop";
			for (glob "trace*.dat*") { print $seen "$_\n"; print <$file> if open my $file, "<", $_; }
			print <$old>; seek $old, 0, 1; select undef, undef, undef, 0.02; } until $stop' 3<trace.dat >"$OUT/read" &
	spy=$!
}
spied_out() {
	touch stop
	wait "$spy" || fail "the spy"
	grep -avx old "$OUT/read" >"$OUT/secret" || :
	is "$(wc -c <"$OUT/secret")" 0 "$1: bytes that another user has read"
}

# private WHAT FILE: that file is root's, has mode 0600 and is a recording
private() {
	is "$(stat -c '%a %u:%g' "$2")" "600 0:0" "$1: mode and owner of ${2##*/}"
	! as_user cat "$2" >/dev/null 2>&1 || fail "$1: another user can read $2"
	trace-cmd report-skb --list -i "$2" >"$OUT/shown" 2>&1 && grep -q " icmp " "$OUT/shown" ||
		fail "$1: $2 is not a recording: $(cat "$OUT/shown" "$OUT/said")"
}

pings() {
	umask >umask.said
	ping -q -c 3 -i 0.3 10.9.0.2
}
export -f pings

for mode in "" --live "--ring 1M" "-B other"; do
	rm -f umask.said
	spy
	# shellcheck disable=SC2086
	ip netns exec A trace-cmd record-skb "${few[@]}" --proto icmp $mode -- bash -c pings >/dev/null 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	spied_out "${mode:-default}"
	private "${mode:-default}" trace.dat
	is "$(cat umask.said)" 0000 "${mode:-default}: the command has the user's umask"
	case $mode in
	--ring*) ;;
	*) grep -q 'trace.dat.*cpu' spied || fail "${mode:-default}: the spy saw no part" ;;
	esac
done

# trace-cmd is killed, and its parts are put together.
spy
in_a ping -q -i 0.005 10.9.0.2 >"$OUT/ping" &
at_exit stop $!
trace-cmd record-skb "${few[@]}" --proto icmp 2>"$OUT/said" &
cli=$!
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
wait_for "packets" grep -q . trace.dat.cpu0 trace.dat.cpu1
pkill -KILL -f '[t]race-cmd record -q'
! wait "$cli" || fail "trace-cmd was killed"
spied_out killed
private killed trace.dat
