#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fails by its exit status

echo "this is shown"
exit 3
