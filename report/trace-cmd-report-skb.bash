# SPDX-License-Identifier: GPL-2.0
# bash completion of trace-cmd-report-skb. The options are read from --help.

_trace_cmd_report_skb() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options

	COMPREPLY=()
	case $prev in
	-i | --input | --pcap | --perfetto | --kernelshark | --html | --diff | --vmlinux)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--verdict)
		options="unknown queued delivered consumed forwarded sent lost copied tapped dropped freed"
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		return
		;;
	--columns)
		mapfile -t COMPREPLY < <(compgen -W "packet time flow flags seq ack len path stack waiting gap slowest calls verdict" -- "$cur")
		return
		;;
	--sort)
		mapfile -t COMPREPLY < <(compgen -W "packets bytes dropped median p99 max time number lasted stage count total" -- "$cur")
		return
		;;
	--packet | --netns | --assert | --slowest | --top | --diff-flow | --diff-from | --diff-to | --offset | --from | --to)
		return
		;;
	esac
	case $cur in
	"" | -*)
		options=$(trace-cmd-report-skb --help 2>/dev/null | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,')
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
}

complete -o filenames -F _trace_cmd_report_skb trace-cmd-report-skb
