#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report can be read without our plugin, and with it has only something more at the end of lines
# requires: nft tcpdump
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/crowd.sh"

crowd
cp $crowd/trace.dat "$OUT/trace.dat"

trace-cmd report -i "$OUT/trace.dat" >"$OUT/with" 2>"$OUT/complaints"
is "$(cat "$OUT/complaints")" "" "nothing to complain about, with the plugin"
without_plugin trace-cmd report -i "$OUT/trace.dat" >"$OUT/without" 2>"$OUT/complaints"
is "$(cat "$OUT/complaints")" "" "nothing to complain about, without it"

without=$(cat "$OUT/without")
has "$without" 'tcp_v4_rcv\(\) \{$' "the graph is there"
has_not "$without" '/\*' "nothing of ours in it"
has "$without" 'packet: *#1 ip_rcv rx tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000 ' "the events read well"
has "$(grep -m 20 " return: " "$OUT/without")" "return: +call [0-9]+ inet_stream_connect = 0\$" "also those of leaving"

has "$(cat "$OUT/with")" ' /\* .* \*/$' "the plugin adds something"
sed 's, /\* [^*]*\(\*[^*/]*\)*\*/$,,' "$OUT/with" >"$OUT/stripped"
cmp "$OUT/without" "$OUT/stripped" >&2 || fail "the plugin changes more than the end of lines: $(diff "$OUT/without" "$OUT/stripped" | head -n 5)"
ok "without what it adds, the reports are the same, byte for byte"
