#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --no-bpf, record-skb attaches to no BPF program; after a killed recorder, it is attached to none any more
# requires: tc
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

# With --no-bpf, record-skb does not attach to the program.
begin_programs B tc-ingress vb fw_main 2 9001
start_recording --no-bpf --detail path -p 9001
has_not "$("$programs" list)" '^record_skb$' "--no-bpf attaches to no program"
stop_recording
end_programs

# Kill the recorder while record-skb is attached to a program.
begin_programs B tc-ingress vb fw_main 2 9001
start_recording --detail path -p 9001
has "$("$programs" list)" '^record_skb$' "a recording is attached to the program"
kill -KILL "$recording"
status=0
wait "$recording" || status=$?
is "$status" 137 "the recorder was killed"
detached() { ! "$programs" list | grep -q '^record_skb$'; }
wait_for "the end of the attachment" detached
wait_for "the end of the recording" unrecorded
has "$("$programs" list)" '^fw_main$' "the program is still there"
end_programs
