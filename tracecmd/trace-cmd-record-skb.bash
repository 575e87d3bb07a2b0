# SPDX-License-Identifier: GPL-2.0
# bash completion of trace-cmd-record-skb. The options are read from --help.

_trace_cmd_record_skb_options() {
	trace-cmd-record-skb --help 2>/dev/null |
		grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,'
}

_trace_cmd_record_skb() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		# Behind -- it is the command's turn.
		if declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
		elif [ "$COMP_CWORD" = $((i + 1)) ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
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
	--detail)
		mapfile -t COMPREPLY < <(compgen -W "full net path" -- "$cur")
		;;
	--module)
		mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/module 2>/dev/null)" -- "$cur")
		;;
	--cpu)
		mapfile -t COMPREPLY < <(compgen -W "$(cat /sys/devices/system/cpu/online 2>/dev/null)" -- "$cur")
		;;
	-o)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	*)
		mapfile -t COMPREPLY < <(compgen -W "$(_trace_cmd_record_skb_options) --" -- "$cur")
		;;
	esac
}

complete -o filenames -F _trace_cmd_record_skb trace-cmd-record-skb
