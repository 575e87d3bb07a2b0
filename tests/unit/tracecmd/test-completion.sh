#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-completion.sh DIR: check that the completion offers existing names, and executes nothing in them
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../../.." && pwd)
PATH=$programs:$PATH

# result NAME: print whether the previous command has succeeded, as the result of the check NAME
result() {
	# shellcheck disable=SC2319 # the last command was a test
	local status=$?

	n=$((n + 1))
	if [ $status = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '# offered: %s\n' "${COMPREPLY[@]-}"
		failed=y
	fi
}

# Let the completion read names from directories of this test.
sed "s:/run/netns:$work/netns:; s:/sys/class/net:$work/net:; s:/sys/module:$work/module:" \
	"$top/tracecmd/trace-cmd-record-skb.bash" > "$work/completion"
# shellcheck disable=SC1091 # this file was made above
. "$work/completion"
mkdir "$work/netns" "$work/net" "$work/module"

# complete_word WORD…: complete the last WORD of a command line
complete_word() {
	COMP_WORDS=(trace-cmd-record-skb "$@")
	COMP_CWORD=$#
	_trace_cmd_record_skb
}

cd "$work" || exit 1
for kind in 'netns --netns' 'net -i' 'module --module'; do
	read -r directory option <<<"$kind"
	touch "$directory/evil\$(touch ran)" "$directory/evil\`touch ran\`" "$directory/good one"
	complete_word "$option" ''
	[ ! -e ran ] && [ ${#COMPREPLY[@]} -ge 3 ]
	result "$option: names that are commands are not run"
	complete_word "$option" evil
	eval "for word in ${COMPREPLY[*]}; do [ -e \"$directory/\$word\" ] || echo no; done" > said
	[ ! -e ran ] && [ ! -s said ] && [ ${#COMPREPLY[@]} = 2 ]
	result "$option: the offered names are quoted"
	rm -f ran
done
complete_word -g ip_r
[ "${COMPREPLY[*]}" = ip_rcv ]
result '-g offers probe points'
complete_word --detail n
[ "${COMPREPLY[*]}" = net ]
result '--detail offers its values'

end_of_tests
