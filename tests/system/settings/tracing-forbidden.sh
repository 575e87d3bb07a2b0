#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: messages distinguish a kernel that is locked down and forbids tracing from a kernel without tracefs
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --append lockdown=confidentiality

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
is "$(status_of trace-cmd record-skb -p 9000 -- true)" 125 "exit status"
is "$(wc -l <stderr)" 1 "lines of complaint"
has "$(cat stderr)" "^trace-cmd record-skb: .*does not allow tracing .*lockdown" "the message"
[ ! -e trace.dat ] || fail "a trace.dat was left behind"

# --check must not report problems in rows that it cannot examine.
is "$(status_of trace-cmd record-skb --check)" 125 "--check"
has "$(cat stdout)" '^LACKS +tracefs +this kernel does not allow tracing' "tracefs"
has "$(cat stdout)" '^unknown +tracer +cannot be checked$' "the tracer: unknown"
has "$(grep -A 1 '^LACKS *lockdown' stdout)" 'to fix it: boot without lockdown=confidentiality$' "lockdown, and the suggested remedy"
