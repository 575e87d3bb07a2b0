#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a command on one CPU is recorded on that CPU only with -M, and its calls are not in the next recording
# vm: --nics
# timeout: 400

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/nics.sh"
driver=e1000
. "$here/over-nics.sh"

# The command runs only on CPU 1, so all its calls are in the rows of this CPU.
record cpu --detail path --cpu 1 -M 2
is "$(grep -c '\[000\]' cpu.report || :)" 0 "-M: lines of the other CPU"
in_order cpu.report __sys_socket=call "raw_sendmsg=call icmp" "ip_output=#1 icmp" "sock_recvmsg=call icmp"

# -M excludes a CPU. Calls of tasks on this CPU must not appear in the next recording.
record after --detail path
balanced after.dat
ok "the next recording has graphs below gates alone"
