#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: harm/killed-anywhere with 200 kills, or with 25 on the debug kernel, where each kill takes eight times as long
# tags: long
# timeout: 6000

[ "$VM_KERNEL" = debug ] && KILLS=25 || KILLS=200
export KILLS
exec "$(dirname "$0")/killed-anywhere.sh"
