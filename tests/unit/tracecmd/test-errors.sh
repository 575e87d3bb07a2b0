#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-errors.sh DIR: check that trace-cmd record-skb refuses wrong arguments before it changes anything, with
# one line and a status
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1

# refused STATUS TEXT WORD…: run record-skb with these words, and check its exit status and its message
refused() {
	local status=$1 text=$2 said got
	shift 2
	n=$((n + 1))
	said=$("$programs/trace-cmd-record-skb" "$@" 2>&1 >/dev/null </dev/null)
	got=$?
	if [ $got = "$status" ] && [[ $said == "trace-cmd record-skb: "*"$text"* ]] &&
	   [ "$(wc -l <<<"$said")" = 1 ] && [ -z "$(ls -A)" ]; then
		echo "ok $n - $*: $text"
	else
		echo "not ok $n - $*: $text"
		printf '# status %s: %s\n' "$got" "$said"
		failed=y
	fi
}

refused 125 'nothing to record'
refused 125 "'0' is not a port" -p 0
refused 125 "'99999' is not a port" -p 99999 -- true
refused 125 'neither a port nor a service' -p nosuchservice
refused 125 "the tracer is always function_graph" -p function_graph -- true
refused 125 "bad expression 'foo'" foo -- true
refused 125 "syntax error at its end, where something is missing; see pcap-filter(7)" tcp port -- true
refused 125 "syntax error at 'prot'; see pcap-filter(7)" tcp prot 80
refused 125 "if 'nosuchcmd' is the command to run, put -- before it" -p 9000 nosuchcmd
refused 125 "if 'env' is the command to run, put -- before it" -p 9000 env -c 1 10.9.0.2
refused 125 "if 'nosuchcmd' is the command to run, put -- before it" -p 9000 nosuchcmd -c 1 10.9.0.2
refused 125 "give a port with -p 80" 80
refused 125 "give an address with --host fe80::1" fe80::1
refused 125 "leave it out if you meant tcpdump's -n" -n port 80
refused 125 'no packet can match' 'tcp and udp'
refused 125 "unknown option '-Z'" -Z
refused 125 '-o needs a value' -o
refused 125 "-C counter does not count nanoseconds" -p 80 -C counter
refused 125 "-C x86-tsc does not count nanoseconds" -p 80 -C x86-tsc
refused 125 'is not a PID' -P x
refused 125 "'4294967297' is not a PID" -P 4294967297
refused 125 "did you mean --port or --proto?" --prot 80
refused 125 "did you mean --host?" -p 80 -rhost
refused 125 "is not a size for -b" -p 80 -b abc
refused 125 "the interface 'nosuch0' does not exist" -i nosuch0
refused 125 "the interface 'nosuch0' does not exist in any of these" --netns $$ --netns $$ -i nosuch0
refused 125 "the network namespace 'nosuch' does not exist" --netns nosuch
refused 127 "cannot run 'nosuchcommand': No such file" -- nosuchcommand
refused 127 "cannot run './nosuchcommand': No such file" -p 1 -- ./nosuchcommand
refused 126 "cannot run '/etc/passwd': Permission denied" -- /etc/passwd
refused 126 "cannot run '/': Permission denied" -- /
refused 125 "the user 'nosuchuser' does not exist" --user nosuchuser -- true
if [ "$(id -u)" = 0 ]; then
	echo mine > trace.dat.cpu0
	n=$((n + 1))
	said=$("$programs/trace-cmd-record-skb" -p 1 2>&1 >/dev/null </dev/null)
	if [ $? = 125 ] && [[ $said == *"trace.dat.cpu0 exists: it is part of an interrupted recording"* ]] && [ "$(cat trace.dat.cpu0)" = mine ]; then
		echo "ok $n - parts of another recording are left alone"
	else
		echo "not ok $n - parts of another recording are left alone"
		printf '# %s\n' "$said"
		failed=y
	fi
	rm -f trace.dat.cpu0
	refused 125 'cannot write to the directory /no-such-directory' -p 1 -o /no-such-directory/trace.dat
	refused 125 'cannot write to the directory /proc' -p 1 -o /proc/trace.dat
	refused 125 '-o /dev/null needs --live' -p 1 -o /dev/null
	refused 125 'is not a regular file' -p 1 -o /dev/zero
	refused 125 'needs the name of a file' -p 1 -o ''
else
	refused 125 'needs root' -p 1
fi

end_of_tests
