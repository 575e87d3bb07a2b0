#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-agree.sh DIR: --help, the man page and the completion know the same options.
set -u
programs=$1
top=$(cd "$(dirname "$0")/../../.." && pwd)
page=$top/Documentation/trace-cmd/trace-cmd-record-skb.1.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$programs:$PATH
n=0
failed=

# agree NAME FILE FILE
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

# An option stands at a line's start, or behind a comma or blank; in the page it is in bold type.
trace-cmd-record-skb --help | sed -n '/^Which packets/,$p' |
	grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
sed -n '/^OPTIONS$/,/^SUMMARY$/p' "$page" |
	grep -oE '\*--?[A-Za-z][A-Za-z0-9-]*\*' | tr -d '*' | sort -u > "$work/page"
agree 'the man page has the options of --help' "$work/help" "$work/page"

# In the page, options that only trace-cmd record knows are in a part of their own.
trace-cmd-record-skb --help | sed -n '/^As trace-cmd record/,$p' |
	grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
sed -n '/^As trace-cmd record has them/,/^Interrupts are/p' "$page" |
	grep -oE '\*--?[A-Za-z][A-Za-z0-9-]*\*' | tr -d '*' | sort -u > "$work/page"
agree 'and those of trace-cmd record' "$work/help" "$work/page"

trace-cmd-record-skb --help | sed -n '/^Which packets/,$p' |
	grep -oE '(^|[ ,])--[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
. "$top/tracecmd/trace-cmd-record-skb.bash"
COMP_WORDS=(trace-cmd-record-skb --)
COMP_CWORD=1
_trace_cmd_record_skb
printf '%s\n' "${COMPREPLY[@]}" | grep -vx -e -- | sort -u > "$work/completed"
agree 'the completion offers the options of --help' "$work/help" "$work/completed"

# Values the completion knows by heart have to be options' still.
grep -oE '^	--?[a-zA-Z|  -]+\)$' "$top/tracecmd/trace-cmd-record-skb.bash" | tr -d '\t)' | tr '|' '\n' |
	tr -d ' ' | sort -u > "$work/special"
trace-cmd-record-skb --help | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,' | sort -u > "$work/help"
comm -12 "$work/special" "$work/help" > "$work/both"
agree 'what it completes values of are options' "$work/special" "$work/both"

echo "1..$n"
[ -z "$failed" ]
