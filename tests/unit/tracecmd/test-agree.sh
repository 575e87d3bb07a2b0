#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-agree.sh DIR: check that --help, the man page and the completion have the same options
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../../.." && pwd)
page=$top/Documentation/trace-cmd/trace-cmd-record-skb.1.txt
PATH=$programs:$PATH

# agree NAME FILE FILE: check that both files have the same lines
agree() {
	n=$((n + 1))
	if [ -s "$2" ] && diff "$2" "$3" > "$work/diff"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$work/diff"
		failed=y
	fi
}

# An option is at the beginning of a line, or after a comma or a blank. In the man page, it is in bold type.
trace-cmd-record-skb --help | sed -n '/^Packets to record/,$p' |
	grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
sed -n '/^OPTIONS$/,/^SUMMARY$/p' "$page" |
	grep -oE '\*--?[A-Za-z][A-Za-z0-9-]*\*' | tr -d '*' | sort -u > "$work/page"
agree 'the man page has the options of --help' "$work/help" "$work/page"

# The man page has the options of trace-cmd record in their own section.
trace-cmd-record-skb --help | sed -n '/^Options of trace-cmd record/,$p' |
	grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
sed -n '/^Options of trace-cmd record/,/^- Options cannot/p' "$page" |
	grep -oE '\*--?[A-Za-z][A-Za-z0-9-]*\*' | tr -d '*' | sort -u > "$work/page"
agree 'and those of trace-cmd record' "$work/help" "$work/page"

trace-cmd-record-skb --help | sed -n '/^Packets to record/,$p' |
	grep -oE '(^|[ ,])--[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
. "$top/tracecmd/trace-cmd-record-skb.bash"
COMP_WORDS=(trace-cmd-record-skb --)
COMP_CWORD=1
_trace_cmd_record_skb
printf '%s\n' "${COMPREPLY[@]}" | grep -vx -e -- | sort -u > "$work/completed"
agree 'the completion offers the options of --help' "$work/help" "$work/completed"

# The completion has special code for some options, which must still exist.
grep -oE '^	--?[a-zA-Z|  -]+\)$' "$top/tracecmd/trace-cmd-record-skb.bash" | tr -d '\t)' | tr '|' '\n' |
	tr -d ' ' | sort -u > "$work/special"
trace-cmd-record-skb --help | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
comm -12 "$work/special" "$work/help" > "$work/both"
agree 'what it completes values of are options' "$work/special" "$work/both"


# Do the same for report-skb. It accepts no options of other programs.
trace-cmd-report-skb --help | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
sed -n '/^OPTIONS$/,/^JSON$/p' "$top/Documentation/trace-cmd/trace-cmd-report-skb.1.txt" |
	grep -oE '^\*-.*::$' | grep -oE '\*--?[A-Za-z][A-Za-z0-9-]*\*' | tr -d '*' | sort -u > "$work/page"
agree "report-skb: the man page has the options of --help" "$work/help" "$work/page"

grep -- '^--' "$work/help" > "$work/long"
sed -nE 's/^	\{ "([a-z-]+)", [a-z]+_argument, .*/--\1/p' "$top/report/report_options.c" | sort > "$work/parsed"
agree "report-skb: --help has what is parsed" "$work/parsed" "$work/long"

. "$top/report/trace-cmd-report-skb.bash"
COMP_WORDS=(trace-cmd-report-skb -)
_trace_cmd_report_skb
printf '%s\n' "${COMPREPLY[@]}" | sort -u > "$work/completed"
agree "report-skb: the completion offers the options of --help" "$work/help" "$work/completed"

# After an option that takes a value, the completion must not offer another option.
trace-cmd-report-skb --help | sed -nE 's/^ +(-[a-z], )?(--[a-z]+) [A-Z]+ .*/\2/p' > "$work/valued"
while read -r option; do
	COMP_WORDS=(trace-cmd-report-skb "$option" --)
	COMP_CWORD=2
	_trace_cmd_report_skb
	[ ${#COMPREPLY[@]} != 0 ] || echo "$option"
done < "$work/valued" > "$work/known"
agree "report-skb: and none for the value of another" "$work/valued" "$work/known"

# "trace-cmd report-skb" must be completed like trace-cmd-report-skb.
mkdir "$work/completions"
for name in record-skb report-skb; do
	cp "$top"/*/trace-cmd-$name.bash "$work/completions/trace-cmd-$name"
done
cp "$top/tracecmd/trace-cmd.bash" "$work/completions/trace-cmd"
for name in record-skb report-skb; do
	unset -f "_trace_cmd_${name//-/_}"
	# shellcheck disable=SC1091
	. "$work/completions/trace-cmd"
	COMP_WORDS=(trace-cmd "$name" --)
	COMP_CWORD=2
	COMP_LINE="trace-cmd $name --"
	COMP_POINT=${#COMP_LINE}
	_trace_cmd_dispatch
	printf '%s\n' "${COMPREPLY[@]}" | grep -vx -e -- | sort -u > "$work/dispatched"
	trace-cmd-$name --help | grep -oE '(^|[ ,])--[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/completed"
	[ $name != record-skb ] || trace-cmd-$name --help | sed -n '/^Packets to record/,$p' |
		grep -oE '(^|[ ,])--[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/completed"
	agree "trace-cmd $name is completed as trace-cmd-$name" "$work/completed" "$work/dispatched"
done

end_of_tests
