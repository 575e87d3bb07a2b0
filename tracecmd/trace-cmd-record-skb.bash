# SPDX-License-Identifier: GPL-2.0
# bash completion of trace-cmd-record-skb. It reads the options and probe points from the program.
#
# Do not use "compgen -W" here, because it expands its words. The name of an interface, a namespace or a
# module could contain a command, which root's shell would then run.

# _trace_cmd_record_skb_offer CUR: read lines from standard input, and offer those that begin with CUR,
# quoted.
_trace_cmd_record_skb_offer() {
	local word

	while IFS= read -r word; do
		[[ $word != "$1"* ]] || COMPREPLY+=("$(printf %q "$word")")
	done
}

# _trace_cmd_record_skb_names PATH…: print the name of each PATH that exists, without its directory.
_trace_cmd_record_skb_names() {
	local path

	for path; do
		[ ! -e "$path" ] || printf '%s\n' "${path##*/}"
	done
}

_trace_cmd_record_skb_options() {
	trace-cmd-record-skb --help 2>/dev/null |
		grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,'
	echo --
}

_trace_cmd_record_skb() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		# The words after -- are the user's command. Complete it as the shell does.
		if declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
		elif [ "$COMP_CWORD" = $((i + 1)) ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			compopt -o filenames 2>/dev/null
		fi
		return
	done
	case $prev in
	-i | --interface)
		_trace_cmd_record_skb_offer "$cur" < <(echo any; _trace_cmd_record_skb_names /sys/class/net/*)
		;;
	--netns)
		_trace_cmd_record_skb_offer "$cur" < <(_trace_cmd_record_skb_names /run/netns/*)
		;;
	--on)
		! declare -F _known_hosts_real >/dev/null || _known_hosts_real -- "$cur"
		;;
	--user)
		_trace_cmd_record_skb_offer "$cur" < <(compgen -u)
		;;
	--proto)
		_trace_cmd_record_skb_offer "$cur" < <(printf '%s\n' tcp udp sctp icmp icmp6 arp)
		;;
	--detail)
		_trace_cmd_record_skb_offer "$cur" < <(printf '%s\n' full net path)
		;;
	--until)
		_trace_cmd_record_skb_offer "$cur" < <(printf '%s\n' drop drop= slower= unanswered=)
		;;
	--module)
		_trace_cmd_record_skb_offer "$cur" < <(_trace_cmd_record_skb_names /sys/module/*)
		;;
	--cpu)
		_trace_cmd_record_skb_offer "$cur" < <(cat /sys/devices/system/cpu/online 2>/dev/null)
		;;
	-g)
		_trace_cmd_record_skb_offer "$cur" < <(trace-cmd-record-skb --list-points 2>/dev/null |
			sed -n 's/^\([^# ][^ ]*\) .*/\1/p')
		;;
	-o)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		;;
	*)
		_trace_cmd_record_skb_offer "$cur" < <(_trace_cmd_record_skb_options)
		;;
	esac
}

complete -F _trace_cmd_record_skb trace-cmd-record-skb
