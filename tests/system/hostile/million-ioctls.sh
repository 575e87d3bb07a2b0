#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: hostile/ioctls with a million calls
# tags: long
# timeout: 3600

HOSTILE_CALLS=1000000 exec "$(dirname "$0")/ioctls.sh"
