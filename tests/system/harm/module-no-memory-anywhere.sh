#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: harm/module-no-memory with each allocation of each call
# requires: /sys/kernel/debug/failslab
# kernels: debug
# tags: long
# timeout: 1200

STRIDE=1 exec "$(dirname "$0")/module-no-memory.sh"
