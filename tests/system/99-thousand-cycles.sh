#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 98-cycles with 1,000 of them
# tags: long
# timeout: 3000

CYCLES=1000 exec "$(dirname "$0")/98-cycles.sh"
