#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: harm/recorder-no-memory with 60 recordings
# requires: /proc/self/fail-nth
# kernels: debug
# tags: long
# timeout: 1200

RUNS=60 exec "$(dirname "$0")/recorder-no-memory.sh"
