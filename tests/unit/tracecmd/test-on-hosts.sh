#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-on-hosts.sh DIR: check that --on passes its words to the hosts, stops the recordings together, and
# fetches the files. One script takes the place of ssh, and another one takes the place of the recorder.
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1

# check TEXT PATTERN WHAT: check that TEXT matches PATTERN
check() {
	n=$((n + 1))
	if grep -Eq -e "$2" <<<"$1"; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3: nothing matches $2 in:"
		printf '# %s\n' "$1"
		failed=y
	fi
}

mkdir bin files
cat >ssh <<'END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
[[ $2 != away* ]] || { echo "cannot reach $2" >&2; exit 255; }
HOST=$2 PATH=$WORK/bin:$PATH exec sh -c "$3"
END
cat >bin/trace-cmd <<'END'
#!/bin/bash
printf '<%s>' "$@" >"$WORK/words.$HOST"
printf 'a line of the host that is no message\narmed\n'
case $HOST in
event*) until [ -e "$WORK/begun" ]; do sleep 0.1; done; printf 'ended 2000\n' ;;
dies) until [ -e "$WORK/begun" ]; do sleep 0.1; done; exit 9 ;;
*) until read -r line && [ "$line" = stop ]; do :; done ;;
esac
printf 'summary \033[31m of %s\n' "$HOST" >&2
printf 'stopped\nfile 12\narmed\nfile 9\n'
until read -r line && [ "$line" = have ]; do :; done
echo "$HOST" >>"$WORK/have"
END
# On a host where the user is not root, sudo starts the recorder.
printf '#!/bin/sh\nshift\nexec "$@"\n' >bin/sudo
chmod +x ssh bin/*
export WORK=$work RECORD_SKB_SSH="$work/ssh -F nothing"

# joint WORD…: record on several hosts, and set $said and $status
joint() {
	rm -f have begun
	said=$("$programs/trace-cmd-record-skb" "$@" 2>&1 </dev/null)
	status=$?
}

hostile="'; touch pwned; \$(touch pwned) \`touch pwned\` \"x"
joint --on root@one,ssh://x@two:22 -p 443 --detail path "$hostile" -o 'files/my file.dat' -- sh -c 'touch begun; exit 3'
check "$status" '^3$' "the exit status is that of the command"
check "$(cat words.root@one)" '^<record-skb><--controlled><[0-9-]+-1><-p><443><--detail><path>' "the words for a host"
check "$(cat words.root@one)" "$(printf '<%s>' "$hostile" | sed 's/[$`()]/[&]/g')" "a hostile word stays one word"
check "$(ls)" '^begun$' "the command ran"
check "$(ls pwned 2>&1)" "cannot access" "no shell has interpreted a word"
check "$(od -c 'files/my file-one.dat' | head -1)" 'a   r   m   e   d  .n   f   i   l   e' "a file that looks like messages"
check "$(stat -c %a 'files/my file-two_22.dat' 2>/dev/null || stat -c %a 'files/my file-two:22.dat')" '^600$' "the mode of a file"
check "$said" '^root@one: summary ...?x?1?b?.*of root@one$' "the summary of a host"
check "$(grep -c $'\033' <<<"$said")" '^0$' "control characters of a host are escaped"
check "$said" "^next: trace-cmd report-skb 'files/my file-one.dat' " "the next command"
check "$(sort have | tr '\n' ' ')" 'root@one ssh://x@two:22' "the hosts may remove their files"

joint --on one --on away,dies,three -p 1 -- touch begun
check "$status" '^125$' "the exit status if a host fails"
check "$said" '^away: not recorded' "a host that cannot be reached"
check "$said" '^dies: the file was not fetched; .*: ssh dies cat /var/lib/record-skb/[0-9-]+-3.dat >trace-dies.dat$' "a recorder that was killed"
check "$said" '^next: trace-cmd report-skb trace-one.dat trace-three.dat$' "the other hosts"

joint --on four,event -p 1 -- sh -c 'touch begun; exec sleep 100'
check "$status" '^0$' "the exit status after an event"
check "$said" '^event: an event of --until ended this recording; all others ended within [0-9]+ ms$' "an event ends all"
joint --on four -p 1
check "$said" 'trace-four.dat exists already' "a file of the user is not replaced"
joint --on one,away5 -o files/away.dat -p 1 -- true
check "$status" '^125$' "the exit status if one host cannot be reached"
for name in -oProxyCommand=x a,-b '' a,,b 'a b' a,a x@a,y@a; do
	joint --on "$name" -o refused.dat -p 1
	check "$status $(ls refused* 2>&1)" '^125 .*cannot access' "refused: --on $name"
done
joint --on a -- true
check "$said" 'needs a filter' "--on without a filter"
joint --on a --live -p 1
check "$said" 'cannot be combined with' "--on with --live"

end_of_tests
