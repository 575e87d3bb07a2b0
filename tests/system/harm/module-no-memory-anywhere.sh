#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: as harm/module-no-memory, but each allocation of each call of the device fails once
# requires: /sys/kernel/debug/failslab
# kernels: debug
# tags: long
# timeout: 1200

STRIDE=1 exec "$(dirname "$0")/module-no-memory.sh"
