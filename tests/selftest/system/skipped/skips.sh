#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: skips

. "$(dirname "$0")/../../../system/lib/lib.sh"

skip "for a reason"
