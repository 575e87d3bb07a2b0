#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the helpers work

. "$(dirname "$0")/../../../system/lib/lib.sh"

two_namespaces
server B 9000
is "$(client A 10.9.0.2 9000 hello)" hello "an echo over IPv4"
is "$(client A fd09::2 9000 hello)" hello "an echo over IPv6"
has "$(in_b ip address)" "10\.9\.0\.2" "B has its address"
