#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if functions that the module calls or watches are live-patched, before or during a recording, the patched functions are called
# requires: /sys/kernel/livepatch
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/live-patch.sh"

cd "$OUT"
two_namespaces
tasks=$(program tasks)
background ip netns exec B "$tasks" answers 9001
wait_for "a server on UDP port 9001" udp_listening B 9001

patch sockfd_lookup
is "$(followed A looked-up -l sockfd_lookup -l fget -l fput -- "$tasks" ask 10.9.0.2 9001)" 0 "a recording beside a live patch of sockfd_lookup"
has "$(trace-cmd report -R -i looked-up.dat)" '__sys_socket' "the command's calls are recorded"
calls=$(patched_calls)
[ "$calls" -gt 0 ] || fail "the patched function was passed by"
ok "our callback calls the patched function: $calls calls"
has_not "$(trace-cmd report -N -i looked-up.dat)" 'funcgraph_entry:.*(sockfd_lookup|fget)\(' \
	"functions that our callback calls, in the graph"
unpatch

patch skb_release_head_state
is "$(followed A freed -- "$tasks" ask 10.9.0.2 9001)" 0 "a recording beside a live patch of skb_release_head_state"
[ "$(patched_calls)" -gt 0 ] || fail "the patched function was passed by"
nothing_lost freed.said
ok "skbs are freed by the patched function, and remembered until then"
unpatch

# Add and remove a live patch during a recording.
cat >command <<'END'
echo >"$2.begun"
until [ -e "$2.patched" ]; do sleep 0.1; done
"$1" ask 10.9.0.2 9001
END
followed A during -- bash command "$tasks" "$OUT/during" >during.status &
recording=$!
wait_for "the recording" test -e during.begun
patch sockfd_lookup
touch during.patched
wait "$recording"
is "$(cat during.status)" 0 "a recording that a live patch came into"
[ "$(patched_calls)" -gt 0 ] || fail "the patched function was passed by"
ok "the patched function was called"
unpatch
