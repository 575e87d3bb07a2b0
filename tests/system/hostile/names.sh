#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: hostile names that an unprivileged user gives to devices, tables and tasks reach neither the terminal nor the shell
# requires: nft tc setpriv unshare tshark
# timeout: 300

# Network: one namespace of a user, with a dummy device for each name (10.5.1.1, 10.5.2.1 …)
. "$(dirname "$0")/../lib/lib.sh"

# In a user namespace, the user makes devices and a table. Each device sends one packet and drops the next
# one. The table drops packets.
modprobe -a dummy nf_tables
cat >"$OUT/user" <<-'END'
	printf 't\033]0;x\a' >/proc/self/comm
	ip link set lo up
	n=1
	for device in '$(id>o)' $'e\e]0;x\a' '-x' '`id>o`' '~;*?' $'\xc2\x9b1m\xe2\x80\xae' "a'\"\\"; do
		ip link add name "$device" type dummy
		ip address add "10.5.$n.1/24" dev "$device"
		ip link set dev "$device" up
		ip neighbour add 10.5.$n.2 lladdr 02:00:00:00:00:01 dev "$device"
		echo >/dev/udp/10.5.$n.2/9002
		tc qdisc add dev "$device" root pfifo limit 0
		n=$((n + 1))
	done
	nft -j -f - <<'JSON'
	{ "nftables": [
	{ "add": { "table": { "family": "inet", "name": "x'; touch owned; echo '" } } },
	{ "add": { "chain": { "family": "inet", "table": "x'; touch owned; echo '", "name": "o\u001b[2J", "type": "filter",
		"hook": "output", "prio": 0, "policy": "accept" } } },
	{ "add": { "rule": { "family": "inet", "table": "x'; touch owned; echo '", "chain": "o\u001b[2J", "expr": [
		{ "match": { "op": "==", "left": { "payload": { "protocol": "udp", "field": "dport" } }, "right": 9000 } },
		{ "drop": null } ] } } } ] }
	JSON
	for n in 1 2 3 4 5 6 7; do
		echo >/dev/udp/10.5.$n.2/9001
	done
	echo >/dev/udp/127.0.0.1/9000
	ip -o link
END
# The debug kernel has no user namespaces. There, root makes the names.
user=(unshare -n)
[ ! -e /proc/self/ns/user ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Urn)
trace-cmd record-skb --why -o "$OUT/trace.dat" udp -- "${user[@]}" bash "$OUT/user" >"$OUT/devices" 2>"$OUT/said"
# Another test may have loaded modules of tunnels. They add devices such as "sit0@NONE".
is "$(grep qdisc "$OUT/devices" | grep -vc "@NONE: ")" 8 "the user has its devices, and lo"

# Run each reader, and keep its output.
cd "$OUT"
for as in "" --list --why "--why --top 100" "--packet 1" "--packet 2 --whole" "--packet 6" --json --folded --latency "--slowest 3" --flow --bytes \
	"--bytes --json" --requests --servers "--summary --json" "--latency --per-flow" "--diff trace.dat"; do
	# shellcheck disable=SC2086
	trace-cmd report-skb -i trace.dat $as >"read${as// /}" 2>&1 || :
done
trace-cmd report-skb -i trace.dat --pcap frames.pcapng 2>/dev/null
tshark -r frames.pcapng -T fields -E separator=/s -e frame.comment -e frame.interface_name >read-frames 2>/dev/null
# Remove the name of the task at the beginning of each line, because trace-cmd itself prints it.
trace-cmd report -i trace.dat 2>&1 | grep 'record_skb\|packet:\|drop:\|rule:' | sed 's/^.*\[[0-9]*\]//' >read-report
[ -s read-report ] || fail "trace-cmd report shows nothing"
is "$(wc -l <read-frames)" 7 "--pcap has the frame that each device sent"
for file in read* said; do
	# No control character is allowed except the newline. In UTF-8, C1 control characters and characters
	# that change the direction of text are not allowed either.
	LC_ALL=C grep -nP '[\x01-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xaa-\xae]' "$file" | cat -v >bad || :
	is "$(cat bad)" "" "control characters in $file"
done
has "$(cat read)" 'e\\x1b\]0;x\\x07' "a name is shown in an escaped form"
has "$(cat read--why)" 'table inet "x.; touch owned; echo .", chain "o\\x1b\[2J": the rule with handle' "the table's too"
has "$(cat read--packet1)" 't\\x1b\]0;x\\x07-[0-9]+' "the task's too"

# Run the suggested commands. Each one must look for exactly this device, which no longer exists.
sed -n 's/^    see: //p' read--why--top100 >commands
is "$(grep -c '^tc ' commands)" 7 "a command for each device"
is "$(grep -cE '^nft -a list ruleset inet( +# in network namespace t\\x1b\]0;x\\x07)?$' commands)" 1 "nft has no syntax for the table: all are listed"
sh ./commands >shown 2>&1 || :
[ ! -e o ] && [ ! -e owned ] || fail "a command executed a part of a name"
for device in '$(id>o)' $'e\e]0;x\a' '-x' '`id>o`' '~;*?' $'\xc2\x9b1m\xe2\x80\xae' "a'\"\\"; do
	grep -qF "Cannot find device \"$device\"" shown || fail "tc was not asked for $(cat -v <<<"$device"): $(cat -v shown)"
done
ok "sh passes each name unchanged"
