#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: takes the guest down

echo c >/proc/sysrq-trigger
sleep 1000
