#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 48-killed-anywhere with 200 kills
# tags: long
# timeout: 6000

KILLS=200 exec "$(dirname "$0")/48-killed-anywhere.sh"
