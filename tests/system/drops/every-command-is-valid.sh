#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each command that report-skb --why can suggest is a valid command line of its program, for IPv4, IPv6, TCP and UDP
# requires: ip ss nstat tc nft bridge sysctl
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# The commands about rules list a chain of each family.
for family in inet ip ip6 arp bridge netdev; do
	in_b nft add table $family t
	in_b nft add chain $family t c
done
commands=$(program commands)
for family in 4 6; do
	for protocol in 6 17; do
		"$commands" $family $protocol vb || fail "a command cannot be filled in"
	done
done | sort -u >"$OUT/commands"

# missing COMMAND: return 0 if the guest lacks the program, the file or a setting that COMMAND needs
missing() {
	local word=${1%% *}
	command -v "$word" >/dev/null || return 0
	case $1 in
	cat*) [ ! -e "${1#cat }" ] ;;
	sysctl*)
		# The guest may lack a setting of another protocol or of a later kernel.
		for word in ${1#sysctl }; do
			word=${word//./\/}
			[ -e "/proc/sys/$word" ] || return 0
		done
		return 1
		;;
	*) return 1 ;;
	esac
}
wrong=0 number=0
: >"$OUT/missing"
while read -r where line; do
	# A line may have several commands, with "; " between them.
	while IFS= read -r command; do
		number=$((number + 1))
		prefix=(ip netns exec B)
		[ "$where" = local ] || prefix=()
		if "${prefix[@]}" bash -c "$(declare -f missing); missing \"\$1\"" - "$command"; then
			echo "not in this guest: $command" >>"$OUT/missing"
			continue
		fi
		status=0
		"${prefix[@]}" sh -c "$command" >"$OUT/shown" 2>&1 || status=$?
		# The kernel may refuse a valid command. For example, "ip route get" fails without a
		# route.
		if [ $status != 0 ] && ! grep -q '^RTNETLINK answers:' "$OUT/shown"; then
			echo "WRONG ($status): $command: $(head -n 3 "$OUT/shown")"
			wrong=$((wrong + 1))
		fi
	done < <(sed 's/; /\n/g' <<<"$line")
done <"$OUT/commands"
sort -u "$OUT/missing"
# The loop skips a command if the guest lacks its program or its setting. Limit the number of these commands,
# so that the test cannot pass without trying most of them.
[ "$number" -gt 120 ] || fail "only $number commands"
[ "$(sort -u "$OUT/missing" | wc -l)" -le 20 ] || fail "too many commands are not checked"
is $wrong 0 "number of commands that are not valid, of $number"
