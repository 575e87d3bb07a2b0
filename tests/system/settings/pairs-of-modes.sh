#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each pair of modes records all packets, which can be read back, or is refused with one line
# tags: long
# timeout: 1800

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
in_b nft -f - <<-END
	table inet witness {
		counter came { }
		chain in { type filter hook input priority 0; udp dport 9005 counter name came; }
	}
END
background in_b socat -u UDP-RECV:9005 /dev/null
wait_for "port 9005" udp_listening B 9005
sends='for i in 1 2 3 4 5; do echo $i >/dev/udp/10.9.0.2/9005; done'
cd "$OUT"

modes=(--ring=4M --live "--live -o /dev/null" --why --sched "-B other -e sched_switch" --max-graph-depth=3
	"-b 1024" "-n ip_rcv_*" "-C mono" --until=count=1000 --until=time=1000s --until=size=100M)
excluded=("--ring=4M --live" "--ring=4M --live -o /dev/null" "--shared --ring=4M" "--shared --why" "--shared --sched"
	"--shared -B other -e sched_switch" "--shared --max-graph-depth=3")
# Linux before 6.11 has no instances of function_graph, so --shared does not work there.
case $VM_KERNEL in
6.1 | 6.1-rt | debug) ;;
*) modes=(--shared "${modes[@]}") ;;
esac

# packets MODES: print the number of delivered packets, from the file. If there is no file, count the lines of
# --live.
packets() {
	case $1 in
	*/dev/null*) grep -c ':9005 .*delivered' printed || : ;;
	*)
		trace-cmd report-skb --list -i trace.dat >reported 2>losses
		grep -q '^complete: no entries lost$\|^a ring: ' losses || fail "$1: $(cat losses)"
		[[ $1 != *--live* ]] || [ "$(grep -c ':9005 .*delivered' printed)" = 5 ] || fail "$1: $(cat printed)"
		grep -c ':9005 .*delivered' reported || :
		;;
	esac
}

is_excluded() {
	local pair
	for pair in "${excluded[@]}"; do
		[ "$1" != "$pair" ] || return 0
	done
	return 1
}

for ((i = 0; i < ${#modes[@]}; i++)); do
	for ((k = i + 1; k < ${#modes[@]}; k++)); do
		pair="${modes[i]} ${modes[k]}"
		rm -f trace.dat*
		came=$(packets_of B inet witness came)
		# shellcheck disable=SC2086
		status=$(status_of trace-cmd record-skb --detail path -p 9005 $pair -- ip netns exec A bash -c "$sends")
		mv stdout printed
		if is_excluded "$pair"; then
			[ "$status $(wc -l <stderr)" = "125 1" ] || fail "$pair is not refused: $status, $(cat stderr)"
			has "$(cat stderr)" ' cannot be combined with ' "$pair: refused"
			continue
		fi
		[ "$status" = 0 ] || fail "$pair: $(cat stderr)"
		[ "$(($(packets_of B inet witness came) - came))" = 5 ] || fail "$pair: not all came"
		is "$(packets "$pair")" 5 "$pair: packets that are read back"
		is "$(ls "$tracing/instances")" "" "$pair: instances that are left"
	done
done
