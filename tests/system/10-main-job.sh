#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: of many connections, the packets of port 9000 are recorded, all of them and no others
# requires: nft socat
# tags: main
# timeout: 240

. "$(dirname "$0")/lib.sh"

mine=5
others=$((mine * 10))

two_namespaces
for port in 9000 7001 7002; do
	server B $port
done

# The witness knows nothing of us: what B's and A's kernels got over the wire.
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table inet witness {
			counter mine { }
			chain in {
				type filter hook prerouting priority -300;
				iif lo accept
				tcp dport 9000 counter name mine
				tcp sport 9000 counter name mine
			}
		}
	END
done

witnessed() {
	ip netns exec "$1" nft list counter inet witness mine | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

cat >"$OUT/client" <<'END'
#!/bin/bash
# client MINE OTHERS: so many connections to port 9000, among so many to other ports.
set -eu
talk() {
	exec 3<>"/dev/tcp/10.9.0.2/$1"
	echo "hello $1" >&3
	read -r answer <&3
	[ "$answer" = "hello $1" ]
	exec 3>&-
}
for ((i = 0; i < $1; i++)); do
	for ((j = 0; j < $2 / $1; j++)); do
		talk $((7001 + j % 2))
	done
	talk 9000
done
END
chmod +x "$OUT/client"

# The last words of a connection come after the client has gone: its last socket waits for them.
cat >"$OUT/command" <<'END'
#!/bin/bash
"$1/client" "$2" "$3"
until [ -z "$(ss -Htan state connected "dport = :9000" | grep -v TIME-WAIT)" ]; do
	sleep 0.1
done
END
chmod +x "$OUT/command"

in_a trace-cmd record-skb -p 9000 -o "$OUT/trace.dat" -- "$OUT/command" "$OUT" $mine $others
sent_to_b=$(witnessed B)
sent_to_a=$(witnessed A)
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"

# received FROM-OR-TO: how many different packets came to tcp_v4_rcv
received() {
	grep ' packet: .* tcp_v4_rcv rx tcp ' "$OUT/report" | grep -E -e "$1" | grep -o '#[0-9]*' | sort -u | wc -l
}

[ "$sent_to_b" -ge $((mine * 4)) ] || fail "the witness saw only $sent_to_b packets"
is "$(received '> 10\.9\.0\.2:9000 ')" "$sent_to_b" "packets to port 9000, as the witness counted them"
is "$(received 'tcp 10\.9\.0\.2:9000 >')" "$sent_to_a" "packets from port 9000, as the witness counted them"

events=$(grep -E ' (packet|call): ' "$OUT/report")
has_not "$events" ':700[12]\b' "nothing of the other ports"
has_not "$(grep -v ':9000\b' <<<"$events")" . "nothing but port 9000"
has_not "$(grep -F '/*' "$OUT/report" | grep -v ':9000\b')" . "no line has another flow's name"

is "$(grep -c 'funcgraph_entry: .*{' "$OUT/report")" "$(grep -c 'funcgraph_exit: ' "$OUT/report")" \
	"each function that was entered was left"
