#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-dispatch.sh DIR: check the dispatcher in DIR, which precedes the real trace-cmd in PATH. It must change
# nothing for trace-cmd's other subcommands.
#
# The "real" trace-cmd of this test is a script that prints its arguments.
set -u
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

mkdir "$work/ours" "$work/real" "$work/link"
cp "$programs/trace-cmd" "$programs/trace-cmd-record-skb" "$work/ours"
cat > "$work/real/trace-cmd" <<'END'
#!/bin/bash
# This script stands for the real trace-cmd.
[ "${1-}" != cat ] || exec cat
[ "${1-}" != run ] || exec "${@:2}"
[ "${1-}" != die ] || kill -TERM $$
echo "real $(basename "$0") $#"
printf '<%s>' "$@"
echo
echo complaint >&2
[ "${1-}" != help ] && [ $# != 0 ] || exit 255
exit 42
END
cat > "$work/ours/trace-cmd-hello" <<'END'
#!/bin/bash
echo "hello $#"; printf '<%s>' "$@"
exit 7
END
cp "$work/ours/trace-cmd-hello" "$work/ours/trace-cmd-record"	# must not hide the real subcommand
chmod +x "$work/real/trace-cmd" "$work/ours/"*
ln -s ../ours/trace-cmd "$work/link/trace-cmd"
base=/usr/bin:/bin
path=$work/ours:$work/real:$base

# result NAME: print whether the previous command has succeeded, as the result of the check NAME
result() {
	local status=$?
	n=$((n + 1))
	if [ $status = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		failed=y
	fi
}
failed=

# run PATH WORD…: run trace-cmd with this PATH. Set $out, $complaint and $status.
run() {
	local PATH=$1
	shift
	out=$(trace-cmd "$@" 2>"$work/stderr")
	status=$?
	complaint=$(<"$work/stderr")
}

run "$path" report -i 'a b' '' '*'
[ "$out" = $'real trace-cmd 5\n<report><-i><a b><><*>' ] && [ $status = 42 ] && [ "$complaint" = complaint ]
result 'arguments, output and status are the real one'"'"'s'

out=$(PATH=$path; printf 'x\ny' | trace-cmd cat)
[ "$out" = $'x\ny' ]
result 'standard input is the real one'"'"'s'

run "$path" die
[ $status = 143 ]
result 'a signal that ends the real one is seen'

run "$path" hello 'a b' -h
[ "$out" = $'hello 2\n<a b><-h>' ] && [ $status = 7 ]
result 'a program trace-cmd-NAME is the subcommand NAME'

run "$path" record x
[ "$out" = $'real trace-cmd 2\n<record><x>' ]
result 'a subcommand of the real trace-cmd is never replaced'

run "$path" nosuch
[ "$out" = $'real trace-cmd 1\n<nosuch>' ] && [ $status = 42 ]
result 'the real trace-cmd refuses an unknown name'

run "$path" recrod-skb -p 9000
[ $status = 127 ] && [ "$complaint" = "trace-cmd: unknown subcommand 'recrod-skb': did you mean record-skb?" ]
result 'a mistyped name of our subcommand is corrected'

run "$path" report-
[ "${out%%$'\n'*}" = 'real trace-cmd 1' ]
result 'the real trace-cmd refuses the beginning of a name'

run "$path" ../hello
[ "$out" = $'real trace-cmd 1\n<../hello>' ]
result 'a path is not a name'

run "$path"
[ "${out%%$'\n'*}" = 'real trace-cmd 0' ] && grep -q '^     record-skb - ' <<<"$out" && [ $status = 255 ]
result 'without arguments, our subcommand is listed after the real ones, with their status'

run "$path" help
[ "${out%%$'\n'*}" = 'real trace-cmd 1' ] && grep -q '^     record-skb - ' <<<"$out" && [ $status = 255 ]
result 'help lists our subcommand after the real ones, with their status'

run "$path" record-skb --help
grep -q '^usage: trace-cmd record-skb' <<<"$out" && [ $status = 0 ]
result 'trace-cmd record-skb --help is ours'

MANPATH=/nonexistent run "$path" help record-skb
grep -q 'trace-cmd record-skb' <<<"$out" && [ $status = 0 ]
result 'help record-skb prints the usage if there is no man page'

run "$path" help record
[ "$out" = $'real trace-cmd 2\n<help><record>' ]
result 'the real trace-cmd prints the help of its subcommands'

run "$work/link:$work/ours:$work/real:$base" list
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'links to the dispatcher are not taken for the real one'

mkdir "$work/copy"
cp "$work/ours/trace-cmd" "$work/copy"
run "$work/copy:$work/ours:$work/copy:$work/real:$base" list
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'copies of the dispatcher are not taken for the real trace-cmd'

mkdir "$work/wrap"
printf '#!/bin/bash\nexec %s/ours/trace-cmd "$@"\n' "$work" > "$work/wrap/trace-cmd"
chmod +x "$work/wrap/trace-cmd"
run "$work/ours:$work/wrap:$base" list
[ $status = 127 ] && grep -q 'every trace-cmd there leads back to this program' <<<"$complaint" &&
	run "$work/ours:$work/wrap:$base" && [ $status = 127 ]
result 'a wrapper that executes the dispatcher again is reported, and not followed forever'

mkdir "$work/child"
printf '#!/bin/bash\n%s/ours/trace-cmd "$@"\nexit\n' "$work" > "$work/child/trace-cmd"
chmod +x "$work/child/trace-cmd"
run "$work/ours:$work/child:$base" list
[ $status = 127 ] && [ "$(grep -c 'every trace-cmd there leads back to this program' <<<"$complaint")" = 1 ] &&
	run "$work/ours:$work/child:$base" && [ $status = 127 ] && [ -z "$out" ]
result 'a wrapper that runs the dispatcher again and waits is reported, too'

run "$path" run trace-cmd run trace-cmd run trace-cmd list
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'a command that the real one runs may call trace-cmd again'

mkdir -p "$work/lib/record-skb" "$work/other"
sed 's/^echo "real/echo "other/' "$work/real/trace-cmd" > "$work/other/trace-cmd"
chmod +x "$work/other/trace-cmd"
ln -s "$work/other/trace-cmd" "$work/lib/record-skb/trace-cmd"
run "$path" list
[ "$out" = $'other trace-cmd 1\n<list>' ]
result 'the trace-cmd that was noted at the installation is the real one, for any PATH'

RECORD_SKB_TRACE_CMD=$work/real/trace-cmd run "$path" list
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'RECORD_SKB_TRACE_CMD names another trace-cmd'

RECORD_SKB_TRACE_CMD=$work/nowhere run "$path" list
[ $status = 127 ] && [[ $(tail -n 1 <<<"$complaint") = *'RECORD_SKB_TRACE_CMD names cannot be executed, or is not trace-cmd'* ]] &&
	[ "$(wc -l <<<"$complaint")" = 1 ]
result 'RECORD_SKB_TRACE_CMD names a file that does not exist'

ln -sfn "$work/nowhere" "$work/lib/record-skb/trace-cmd"
run "$path" list
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'if the noted trace-cmd does not exist any more, PATH is searched'

out=$(PATH=$path; trace-cmd hello; env -u PATH "$work/ours/trace-cmd" hello)
[ "$out" = $'hello 0\n<>hello 0\n<>' ]
result 'subcommands beside the dispatcher need no PATH'

out=$(cd "$work/real" && PATH=$work/ours::$base trace-cmd list 2>/dev/null)
[ "$out" = $'real trace-cmd 1\n<list>' ]
result 'an empty part of PATH is the current directory'

echo "1..$n"
[ -z "$failed" ]
