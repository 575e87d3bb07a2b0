#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: harm/start-stop-cycles with 1,000 cycles, or with 125 on the debug kernel, where each cycle takes eight times as long
# tags: long
# timeout: 3000

[ "$VM_KERNEL" = debug ] && CYCLES=125 || CYCLES=1000
export CYCLES
exec "$(dirname "$0")/start-stop-cycles.sh"
