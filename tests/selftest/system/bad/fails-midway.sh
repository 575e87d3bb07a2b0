#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fails by an error in the middle

. "$(dirname "$0")/../../../system/lib/lib.sh"

false
ok "not reached"
