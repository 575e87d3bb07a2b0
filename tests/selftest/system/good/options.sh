#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: gets a guest with the options of its header
# vm: --smp 1 --append "one two=3"

[ "$(nproc)" = 1 ]
grep -q "one two=3" /proc/cmdline
