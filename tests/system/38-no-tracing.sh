#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a kernel that is locked down so far that nobody may trace is told from one that has no tracefs
# vm: --append lockdown=confidentiality

. "$(dirname "$0")/lib.sh"

cd "$OUT"
is "$(status_of trace-cmd record-skb -p 9000 -- true)" 125 "exit status"
is "$(wc -l <stderr)" 1 "lines of complaint"
has "$(cat stderr)" "^trace-cmd record-skb: .*lets nobody trace .*lockdown" "what it says"
[ ! -e trace.dat ] || fail "a trace.dat was left behind"
