#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: harm/many-asleep with 10,000 readers, or 1,000 on the debug kernel
# tags: long
# timeout: 1500

readers=10000
# The debug kernel starts only four readers per second, and reads only four stacks per second.
[ "$VM_KERNEL" != debug ] || readers=1000
READERS=$readers exec "$(dirname "$0")/many-asleep.sh"
