#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the test cost/unrelated-traffic, also with expressions and followed commands, at each level of detail
# requires: nft
# kernels: 6.1 6.12 newest
# tags: long
# vm: --icount --smp 1 --append nokaslr
# timeout: 900

ALL_FILTERS=y exec "$(dirname "$0")/unrelated-traffic.sh"
