#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: does not end
# timeout: 5

sleep 1000
