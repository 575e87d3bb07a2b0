#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: options that contradict each other, or that can match no packet, are refused with one line
# tags: long
# timeout: 120

. "$(dirname "$0")/../lib/lib.sh"
. "$here/refused.sh"

refused 125 'swap its ends' -p 9100-9000 -- touch "done"
refused 125 'no packet can match' --proto tcp 'udp' -- touch "done"
refused 125 'not a mark' --mark red -- touch "done"
refused 125 'matches no packet' --mark 0x20/0x10 -- touch "done"
refused 125 "the interface .nosuch0. does not exist" -i lo -i nosuch0 -- touch "done"
refused 125 "the network namespace .123456789. does not exist" --netns 123456789 -- touch "done"
refused 125 "the network namespace .4026499999. does not exist" --netns 4026499999 -- touch "done"
refused 125 'not a value of --detail' --detail much -- touch "done"
refused 125 'given twice' --detail net --detail path -- touch "done"
refused 125 'needs a command' --user nobody -p 9000
refused 125 'needs a command' --cpu 0 -p 9000
refused 125 'nothing to record' -s 10
unrecorded || fail "something is left"
