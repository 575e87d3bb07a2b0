# SPDX-License-Identifier: GPL-2.0
# bash completion of trace-cmd record-skb; its options are those of --help.

_trace_cmd_record_skb_options() {
	trace-cmd-record-skb --help 2>/dev/null |
		grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,'
}

_trace_cmd_record_skb() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i

	# After -- it is the command's turn.
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			type -t _command_offset >/dev/null && _command_offset $((i + 1))
			return
		fi
	done
	case $prev in
	-i | --interface)
		mapfile -t COMPREPLY < <(compgen -W "any $(ls /sys/class/net 2>/dev/null)" -- "$cur")
		;;
	--netns)
		mapfile -t COMPREPLY < <(compgen -W "$(ls /run/netns 2>/dev/null)" -- "$cur")
		;;
	--user)
		mapfile -t COMPREPLY < <(compgen -u -- "$cur")
		;;
	--proto)
		mapfile -t COMPREPLY < <(compgen -W "tcp udp sctp icmp icmp6 arp" -- "$cur")
		;;
	-o)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	*)
		mapfile -t COMPREPLY < <(compgen -W "$(_trace_cmd_record_skb_options) --" -- "$cur")
		;;
	esac
}

_trace_cmd_with_record_skb() {
	# As "trace-cmd record-skb …": the same, one word to the right.
	if [ "${COMP_WORDS[1]-}" = record-skb ] && [ "$COMP_CWORD" -gt 1 ]; then
		_trace_cmd_record_skb
	elif declare -F _trace_cmd_complete >/dev/null; then
		_trace_cmd_complete "$@"
	fi
}

complete -F _trace_cmd_record_skb trace-cmd-record-skb
