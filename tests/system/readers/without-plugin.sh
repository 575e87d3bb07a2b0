#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd report works without our plugin, which only adds text at the ends of lines
# requires: nft tcpdump
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/crowd.sh"

crowd
cp $crowd/trace.dat "$OUT/trace.dat"

trace-cmd report -i "$OUT/trace.dat" >"$OUT/with" 2>"$OUT/complaints"
is "$(cat "$OUT/complaints")" "" "nothing to complain about, with the plugin"
without_plugin trace-cmd report -i "$OUT/trace.dat" >"$OUT/without" 2>"$OUT/complaints"
is "$(cat "$OUT/complaints")" "" "messages without the plugin"

without=$(cat "$OUT/without")
has "$without" 'tcp_v4_rcv\(\) \{$' "the graph is there"
has_not "$without" '/\*' "annotations without the plugin"
has "$without" 'packet: *#1 ip_rcv rx tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000 ' "the events read well"
has "$(grep -m 20 " return: " "$OUT/without")" "return: +call [0-9]+ inet_stream_connect = 0\$" "the events of returns"

has "$(cat "$OUT/with")" ' /\* .* \*/$' "the plugin adds something"
sed 's, /\* [^*]*\(\*[^*/]*\)*\*/$,,' "$OUT/with" >"$OUT/stripped"
cmp "$OUT/without" "$OUT/stripped" >&2 || fail "the plugin changes more than the end of lines: $(diff "$OUT/without" "$OUT/stripped" | head -n 5)"
ok "apart from the added text, the reports are the same, byte for byte"
