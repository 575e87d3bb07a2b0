#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the first socket call after exec is always in the trace: in many recordings, and for many commands in one recording
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

# RECORDINGS and COMMANDS set other numbers of recordings and commands:
#     tests/vm/run --timeout 9999 env COMMANDS=1000 tests/system/following/first-call.sh
recordings=${RECORDINGS:-5}
commands=${COMMANDS:-50}

cd "$OUT"
two_namespaces
tasks=$(program tasks)
background ip netns exec B "$tasks" answers 9000
wait_for "a server on UDP port 9000" udp_listening B 9000

for _ in $(seq "$recordings"); do
	[ "$(followed A one -- "$tasks" ask 10.9.0.2 9000)" = 0 ] || fail "a recording: $(cat one.said)"
	trace-cmd report -R -i one.dat >raw
	list_followed first raw
	# All recorded calls must be from one task. The calls before the exec are not recorded.
	list_followed tasks raw | wc -l >>many
done >first
is "$(cut -d ' ' -f 2 first | uniq -c | tr -s ' ')" " $recordings __sys_socket" \
	"$recordings recordings of a command"
is "$(sort many | uniq -c | tr -s ' ')" " $recordings 1" "each with the calls of one task"

cat >command <<'END'
for i in $(seq "$2"); do
	"$1" ask 10.9.0.2 9000 || exit
done
END
is "$(followed A all -b 16384 -- bash command "$tasks" "$commands")" 0 "one recording of many commands"
nothing_lost all.said
trace-cmd report -R -i all.dat >raw
is "$(list_followed first raw | cut -d ' ' -f 2 | sort | uniq -c | tr -s ' ')" " $commands __sys_socket" \
	"$commands commands in one recording"
is "$(list_followed flows raw | wc -l)" "$(list_followed begins raw | grep -c ' 10.9.0.2:9000$')" "each command has its flow"
