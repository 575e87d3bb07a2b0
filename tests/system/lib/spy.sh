# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# spy.sh - recordings in a folder like /tmp, while an unprivileged user tries to read their files
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

# The recordings are in a folder like /tmp. An unprivileged user has already made a file with the name of a
# recording there.
folder=/tmp/for-root
mkdir -m 1777 "$folder"
at_exit rm -r "$folder"
cd "$folder"
# Debian does not let root write to such a file. Other distributions do, so allow it.
at_exit sysctl -q "fs.protected_regular=$(sysctl -n fs.protected_regular)"
sysctl -q fs.protected_regular=0
umask 000
two_namespaces

as_user() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# spy: as an unprivileged user, create a file with the name of a recording, and keep it open. Then try to
# read this file and each new file. $OUT/read has all bytes that could be read.
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

# private WHAT FILE: check that FILE belongs to root, has the mode 0600, and is a recording
private() {
	is "$(stat -c '%a %u:%g' "$2")" "600 0:0" "$1: mode and owner of ${2##*/}"
	! as_user cat "$2" >/dev/null 2>&1 || fail "$1: another user can read $2"
	trace-cmd report-skb --list -i "$2" >"$OUT/shown" 2>&1 && grep -q " icmp " "$OUT/shown" ||
		fail "$1: $2 is not a recording: $(cat "$OUT/shown" "$OUT/said")"
}
