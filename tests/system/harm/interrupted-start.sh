#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the start of a recording is interrupted, at any moment, the module is unloaded and the settings of tracing are restored
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/settings-restored.sh"

# Interrupt the start at different moments.
for delay in 0.1 0.2 0.3 0.4 0.5 0.7 0.9 1.1 1.4 1.7 2 3; do
	trace-cmd record-skb -o soon.dat -p 9000 2>soon.said &
	sleep "$delay"
	kill -TERM $!
	wait $! || :
	wait_for "the module's end" unloaded
	wait_for "the settings, after a start of $delay s" is_as_before
done
ok "whenever a start is interrupted, nothing stays"
