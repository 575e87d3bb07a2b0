#compdef trace-cmd-record-skb trace-cmd-report-skb trace-cmd
# SPDX-License-Identifier: GPL-2.0
# zsh completion of trace-cmd record-skb and report-skb. It reads the options from --help.

# _trace_cmd_skb_options PROGRAM: read --help, and print each option with its description: "-p:from or to a
# port".
_trace_cmd_skb_options() {
	local line what word

	for line in ${(f)"$($1 --help 2>/dev/null)"}; do
		[[ $line == ' '*-* ]] || continue
		what=${${line##* -[^ ]*  }## #}
		for word in ${=${line%%  [^ -]*}//,/ }; do
			[[ $word == -* ]] && print -r -- "${word%%\[*}:$what"
		done
	done
}

# _trace_cmd_skb PROGRAM: complete a word of PROGRAM's command line, which is in $words.
_trace_cmd_skb() {
	local program=$1
	local end=${words[(i)--]}
	local -a options

	if (( end < CURRENT )); then
		# The words after -- are the user's command. Complete it as the shell does.
		words=("${(@)words[end + 1,-1]}")
		(( CURRENT -= end ))
		_normal
		return
	fi
	case $words[CURRENT-1] in
	-i | --interface | --input)
		if [[ $program == *record* ]]; then _net_interfaces; else _files; fi
		;;
	-o | --pcap | --diff) _files ;;
	--netns) compadd -- /run/netns/*(N:t) ;;
	--on) _hosts ;;
	--user) _users ;;
	--proto) compadd tcp udp sctp icmp icmp6 arp ;;
	--detail) compadd full net path ;;
	--until) compadd -S "" drop drop= slower= unanswered= ;;
	--verdict) compadd unknown queued delivered consumed forwarded sent copied tapped dropped freed ;;
	--columns) _values -s , column packet time flow flags seq ack len path stack waiting gap slowest calls verdict ;;
	--packet | --slowest | --from | --to) ;;
	--module) compadd -- /sys/module/*(N:t) ;;
	*)
		options=(${(f)"$(_trace_cmd_skb_options $program)"})
		_describe -o option options
		[[ $program == *report* && $words[CURRENT] != -* ]] && _files
		;;
	esac
}

_trace_cmd_record_skb() {
	local -a ours=('record-skb:record the call graph of chosen packets' 'report-skb:report a trace packet by packet')

	case $service:$words[2] in
	trace-cmd:*)
		if (( CURRENT == 2 )); then
			_describe command ours
		elif [[ $words[2] == (record|report)-skb ]]; then
			# Replace the two words "trace-cmd NAME" by one, the name of the program.
			words=("trace-cmd-$words[2]" "${(@)words[3,-1]}")
			(( CURRENT-- ))
			_trace_cmd_skb $words[1]
		else
			_default
		fi
		;;
	*) _trace_cmd_skb $service ;;
	esac
}

_trace_cmd_record_skb "$@"
