#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb may write packets of all users to a file, so only the file's owner can read it, whatever the umask
# tags: long
# requires: setpriv

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
chmod 755 . # the other user is stopped by the file's mode, not by the folder's
trace-cmd record-skb "${few[@]}" -o trace.dat icmp -- ping -q -c 1 127.0.0.1 >/dev/null 2>said || fail "$(cat said)"
for umask in 000 022; do
	for option in --pcap --perfetto --html; do
		file=made$option
		rm -f -- "$file"
		(umask $umask && trace-cmd report-skb -i trace.dat $option "$file") >said 2>&1 || fail "$(cat said)"
		[ -s "$file" ] || fail "$option has written nothing"
		is "$(stat -c '%a %u' "$file")" "600 0" "$option with umask $umask: mode and owner"
		! setpriv --reuid 65534 --regid 65534 --clear-groups cat "$file" >/dev/null 2>&1 || fail "another user can read $file"
	done
done

# A file that exists already keeps its mode, as with any other program.
: >shared
chmod 644 shared
trace-cmd report-skb -i trace.dat --pcap shared >said 2>&1 || fail "$(cat said)"
is "$(stat -c %a shared)" 644 "a file that the user has shared before"
