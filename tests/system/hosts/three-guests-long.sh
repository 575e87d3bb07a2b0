#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: hosts/three-guests with 100,000 packets
# requires: jq nft
# kernels: 6.12
# tags: long
# timeout: 1800
# vm: --smp 1 --memory 2G --hosts client,router,server

exec "$(dirname "$0")/three-guests.sh" 100000
