#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a kernel that is locked down, or takes signed modules only, is told from one that lacks something
# vm: --append lockdown=integrity

. "$(dirname "$0")/lib.sh"

cd "$OUT"
[ -e /sys/kernel/security/lockdown ] || mount -t securityfs none /sys/kernel/security
has "$(cat /sys/kernel/security/lockdown)" '\[integrity\]' "the kernel is locked down"

# refused PATTERN: record-skb says one line that matches, and leaves nothing.
refused() {
	is "$(status_of trace-cmd record-skb -p 9000 -- true)" 125 "exit status"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	has "$(cat stderr)" "^trace-cmd record-skb: .*$1" "what it says"
	[ ! -e trace.dat ] || fail "a trace.dat was left behind"
}

# Our module has no signature.
refused 'does not let modules be loaded .*lockdown'
echo 1 >/sys/module/module/parameters/sig_enforce
refused 'signed modules only'

# --check says the same beforehand.
checked() { # PATTERN
	is "$(status_of trace-cmd record-skb --check)" 125 "--check"
	has "$(cat stdout)" "^LACKS +module +$1" "the module"
}
checked 'this kernel takes signed modules only: sign record_skb .*record_skb\(4\)'
