#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a probe point with a live patch is refused or left out, and no verdict is wrong; the probe points of a recording cannot be live-patched
# requires: /sys/kernel/livepatch
# tags: slow
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/live-patch.sh"

cd "$OUT"
two_namespaces

# -g makes skb_free_datagram() a probe point. This function frees the reply after ping has read it.
point=(-g skb_free_datagram -l skb_free_datagram)
patch skb_free_datagram
is "$(status_of in_a trace-cmd record-skb "${point[@]}" -o refused.dat -- true)" 125 "a point that is live-patched is refused"
has "$(cat stderr)" '^trace-cmd record-skb: .*skb_free_datagram.*the live patch livepatch' "the message names the live patch"
[ ! -e refused.dat ] || fail "it left a refused.dat"
unpatch

# A probe point of the built-in table is left out if it is live-patched, and --check must say so.
patch arp_xmit
trace-cmd record-skb --check >check
has "$(cat check)" "^without +probe points +redirected by others: arp_xmit$" "--check: a live patch of a point"
has "$(cat check)" "to fix it: they are left out; remove the live patch$" "the suggested remedy"
has "$(cat check)" "^a recording is possible$" "--check: a recording is possible"
unpatch
has "$(trace-cmd record-skb --check)" "^ok +probe points +no other user" "--check: mended"

# Without this probe point, the recording cannot show if a socket got the packet. So the verdict of the
# packet must be "unknown".
patch sock_queue_rcv_skb_reason
in_a trace-cmd record-skb -q -o taken.dat -- ping -q -c 1 10.9.0.2 >/dev/null 2>taken.said
has "$(cat taken.said)" "sock_queue_rcv_skb_reason is left out: .* redirects it" "a recording without a point"
[ "$(patched_calls)" -gt 0 ] || fail "the patched function was not called"
has "$(trace-cmd report-skb --list -i taken.dat)" 'echo reply.* unknown, last seen in ' "the verdict of the reply is unknown, not consumed"
unpatch

cat >command <<'END'
echo >"$1.begun"
until [ -e "$1.refused" ]; do sleep 0.1; done
ping -q -c 1 10.9.0.2 >/dev/null
END
followed A point "${point[@]}" -- bash command "$OUT/point" >point.status &
recording=$!
wait_for "the recording" test -e point.begun
! insmod "$(made_on_host livepatch.ko)" function=skb_free_datagram 2>insmod.said || fail "two users redirect one function"
has "$(cat insmod.said)" "Device or resource busy" "the kernel refuses the live patch as busy"
ok "a live patch of a point is refused while it is recorded: $(cat insmod.said)"
touch point.refused
wait "$recording"
is "$(cat point.status)" 0 "the recording goes on"
has "$(trace-cmd report -i point.dat)" 'skb_free_datagram\(\) \{? */\* #[0-9]+ icmp|skb_free_datagram\(\).*#[0-9]+ icmp' "the recording has the point"
patch skb_free_datagram
in_a ping -q -c 1 10.9.0.2 >/dev/null
[ "$(patched_calls)" -gt 0 ] || fail "the patched function was not called"
ok "after the recording the live patch works"
unpatch
