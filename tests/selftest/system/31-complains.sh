#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the kernel says a bad word and lives on

echo "BUG: said in jest" >/dev/kmsg
