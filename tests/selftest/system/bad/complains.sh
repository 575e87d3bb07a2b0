#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the kernel reports a bug and continues

echo "BUG: said in jest" >/dev/kmsg
