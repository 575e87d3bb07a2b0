# SPDX-License-Identifier: GPL-2.0
# bash completion of trace-cmd. For the subcommands record-skb and report-skb, use the completions of the programs
# trace-cmd-record-skb and trace-cmd-report-skb.

_trace_cmd_dispatch() {
	local here=${BASH_SOURCE[0]%/*} name=trace-cmd-${COMP_WORDS[1]-} length=${#COMP_LINE} own

	case $name in
	trace-cmd-record-skb | trace-cmd-report-skb) own=_${name//-/_} ;;
	esac
	if [ "$COMP_CWORD" -gt 1 ] && [ -n "${own-}" ]; then
		# shellcheck disable=SC1090
		declare -F "$own" >/dev/null || . "$here/$name"
		# Replace the two words "trace-cmd NAME" by one, the name of the program.
		COMP_WORDS=("$name" "${COMP_WORDS[@]:2}")
		COMP_CWORD=$((COMP_CWORD - 1))
		COMP_LINE=$name${COMP_LINE#*"${name#trace-cmd-}"}
		COMP_POINT=$((COMP_POINT - length + ${#COMP_LINE}))
		"$own"
		return
	fi
	COMPREPLY=()
	declare -F _trace_cmd_complete >/dev/null && _trace_cmd_complete "$@"
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "record-skb report-skb" -- "${COMP_WORDS[1]-}")
	fi
}

# Load the completion of the real trace-cmd first. It registers itself for trace-cmd, and the last line of
# this file then replaces that registration.
for _trace_cmd_file in /usr/share/bash-completion/completions/trace-cmd{,.bash}; do
	if [ -f "$_trace_cmd_file" ] && ! [ "$_trace_cmd_file" -ef "${BASH_SOURCE[0]}" ]; then
		# shellcheck disable=SC1090
		. "$_trace_cmd_file"
		break
	fi
done
unset _trace_cmd_file
complete -F _trace_cmd_dispatch trace-cmd
