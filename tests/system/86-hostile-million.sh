#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 85-hostile-calls with a million of them
# tags: long
# timeout: 3600

HOSTILE_CALLS=1000000 exec "$(dirname "$0")/85-hostile-calls.sh"
