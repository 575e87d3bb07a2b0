#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 88-many-asleep with 10,000 readers, or 1,000 on the debug kernel
# tags: long
# timeout: 1500

readers=10000
# It makes four of them a second, and reads as many stacks.
[ "$VM_KERNEL" != debug ] || readers=1000
READERS=$readers exec "$(dirname "$0")/88-many-asleep.sh"
