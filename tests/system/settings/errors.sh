#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an impossible recording fails with one line and exit status 125, and leaves nothing behind
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$here/refused.sh"

refused 125 'port' -p 70000 -- true
refused 125 'port' -p 90x0 -- true
refused 125 'syntax error' 'tcp prot 9000' -- true
refused 125 'nosuchdevice' -i nosuchdevice -- true
refused 125 'nosuchnamespace' --netns nosuchnamespace -- true
refused 125 'bogus' --bogus -- true
refused 127 'nosuchcommand' -p 9000 -- nosuchcommand
touch notexecutable
refused 126 'notexecutable' -p 9000 -- ./notexecutable
refused 125 'nowhere' -o nowhere/trace.dat -p 9000 -- true
refused 125 '.' # neither filter nor command

# Make files as an interrupted recording leaves them. This recording would need the same names.
touch trace.dat.cpu0
refused 125 'trace.dat.cpu0 exists.* -o FILE trace.dat.cpu\*' -p 9000 -- true
rm trace.dat.cpu0
touch trace.dat.head.cpu0
refused 125 'trace.dat.head.cpu0 exists, from a recording that a crash ended' -p 9000 -- true
rm trace.dat.head.cpu0

# Run record-skb as a user other than root.
is "$(status_of setpriv --reuid 65534 --clear-groups trace-cmd record-skb -p 9000 -- true)" 125 "not root"
has "$(cat "$OUT/stderr")" 'root' "the message"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"

for option in --help --version; do
	is "$(status_of sh -c "trace-cmd record-skb $option >/dev/full")" 125 "$option where nothing can be printed"
	has "$(cat "$OUT/stderr")" 'cannot write the output: No space' "the message about the disk"
done
