#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --dry-run shows all that would be done and does nothing; options that contradict each other are refused
# timeout: 120

. "$(dirname "$0")/lib.sh"

cd "$OUT"
tracing_settings >before
is "$(status_of trace-cmd record-skb --dry-run -p 9000,9100-9200 --proto tcp --host 10.9.0.2 -m 10 -o x.dat -- touch done)" 0 \
	"--dry-run: exit status"
tracing_settings >after
cmp before after || fail "--dry-run changed tracing"
[ ! -e x.dat ] && [ ! -e done ] || fail "--dry-run did something"
unrecorded || fail "--dry-run left something"
shown=$(cat stdout)
has "$shown" 'proto 6 and host 10\.9\.0\.2 and \(port 9000 or portrange 9100-9200\)' "the expression"
has "$shown" '\(000\) ' "its program"
has "$shown" 'ret +#(65535|262144|[1-9][0-9]*)$' "which matches something"
has "$shown" 'ip_rcv' "the probe points"
has "$shown" 'trace-cmd record .*-p function_graph' "the recorder's command line"
has "$shown" "trace-cmd record .*-m '?10'? .*-o '?x\.dat'?|trace-cmd record .*-o '?x\.dat'? .*-m '?10'?" \
	"what is handed on to it"
has "$shown" 'touch.* done' "and the command"

# refused PATTERN ARGS…
refused() {
	local pattern=$1
	shift
	is "$(status_of trace-cmd record-skb "$@")" 125 "refused: $*"
	has "$(cat stderr)" "$pattern" "and why"
	is "$(wc -l <stderr)" 1 "in one line"
	[ ! -e done ] || fail "the command ran"
	unrecorded || fail "$*: something is left"
}
refused 'the wrong way round' -p 9100-9000 -- touch done
refused 'no packet can match' --proto tcp 'udp' -- touch done
refused 'not a mark' --mark red -- touch done
refused 'matches no packet' --mark 0x20/0x10 -- touch done
refused "no interface .nosuch0." -i lo -i nosuch0 -- touch done
refused "there is no network namespace .123456789." --netns 123456789 -- touch done
refused "there is no network namespace .4026499999." --netns 4026499999 -- touch done
refused 'not a detail' --detail much -- touch done
refused 'given twice' --detail net --detail path -- touch done
refused '--detail full' --detail full --module veth -- touch done
refused 'take one' -o x.dat -N host:1234 -- touch done
refused 'needs a command' --user nobody -p 9000
refused 'needs a command' --cpu 0 -p 9000
refused 'nothing to record' -m 10
