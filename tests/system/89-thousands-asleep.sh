#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 88-many-asleep with 10,000 readers
# tags: long
# timeout: 1500

READERS=10000 exec "$(dirname "$0")/88-many-asleep.sh"
