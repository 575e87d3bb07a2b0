#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 98-cycles with 1,000 of them; 125 on the debug kernel, where each takes eight times as long
# tags: long
# timeout: 3000

[ "$VM_KERNEL" = debug ] && CYCLES=125 || CYCLES=1000
export CYCLES
exec "$(dirname "$0")/98-cycles.sh"
