#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: segments that wait in a queue without a probe point are shown as queued, and the line of their packet says so
# requires: perl tc
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/copy-verdicts.sh"

# The queue tbf cuts packets into segments. Each segment then waits for 12 s. After the end of the
# recording, TCP may send more segments again.
in_a tc qdisc add dev va root tbf rate 1kbit burst 2000 limit 100000
background ip netns exec B socat -u TCP-LISTEN:9001,reuseaddr,fork OPEN:/dev/null
wait_for "a server" listening B 9001
cat >"$OUT/sends.pl" <<'END'
use Socket; socket(my $s, PF_INET, SOCK_STREAM, 6); connect($s, sockaddr_in(9001, inet_aton("10.9.0.2"))) || die "$!";
syswrite($s, "x" x 20000);
END
record -p 9001 -- ip netns exec A perl "$OUT/sends.pl"
waiting=$(in_a tc -s qdisc show dev va | sed -nE 's/.*backlog [0-9A-Za-z]+ ([0-9]+)p.*/\1/p')
[ "$waiting" -gt 1 ] || fail "tbf has $waiting packets"
segments=$(grep '"type":"copy"' "$OUT/json" | grep '"kind":"segment"' | grep -c '"what":"queued"' || true)
[ "$segments" -gt 0 ] && [ "$segments" -le "$waiting" ] || fail "$segments segments are queued; tbf has $waiting packets"
ok "segments that tbf has are queued ($segments of $waiting)"
copied_ones tbf
has "$(cat "$OUT/lines")" "went on as copies in __dev_queue_xmit: #[0-9]+[.]1( and [0-9]+ more)?$" "the line names the segments"
