#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the command leaves a child that sleeps in accept(), the module stays loaded and disarmed until the child wakes
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
echo_server B 9000
tasks=$(program tasks)

# The command leaves a child that sleeps. The module must stay loaded for the child, disarmed, and --verbose
# reports this.
in_a trace-cmd record-skb --verbose "${few[@]}" -o trace.dat -- sh -c '"$0" accept 9100 & until [ -e "$1" ]; do sleep 0.1; done' \
	"$tasks" "$OUT/go" >left.out 2>said &
cli=$!
wait_for "the child asleep in accept()" asleep "^$tasks accept" inet_csk_accept
left=$(pgrep -f "^$tasks accept")
at_exit sh -c "kill $left 2>/dev/null; :"
begin=$SECONDS
touch go
wait "$cli" || fail "a child left asleep: $(cat said)"
[ $((SECONDS - begin)) -lt 30 ] || fail "with a child asleep, the end took $((SECONDS - begin)) seconds"
has "$(cat said)" 'the module record_skb stays loaded, disarmed' "a child left asleep: --verbose reports the module"
grep -q '^record_skb ' /proc/modules || fail "the module was unloaded while the child slept in it"
is "$(redirected)" "" "a child left asleep: probe points that are still redirected"
kill -0 "$left" || fail "the child did not survive"
# In the meantime, another recording must work. At its end, it must not unload the module.
is "$(followed A second -- "$tasks" fetch 10.9.0.2 9000)" 0 "a child left asleep: another recording"
nothing_lost second.said
grep -q '^record_skb ' /proc/modules || fail "the module was unloaded while the child slept in it"
kill "$left"
wait_for "the module to be gone by itself" unloaded
ok "a child left asleep: the module is unloaded after the child wakes"
