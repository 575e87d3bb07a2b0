#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: on a kernel that requires signed modules, a module signed with a key of the firmware works; a missing signature and an unknown key are reported
# kernels: 6.1 6.12 newest
# vm: --uefi --append module.sig_enforce=1

. "$(dirname "$0")/../lib/lib.sh"
cd "$OUT"
. "$here/signing.sh"

has "$(cat /proc/keys)" 'record-skb test key' "the kernel has the firmware's key"

checked 125 '^LACKS +module +this kernel takes signed modules only: sign record_skb '
refused 'signed modules only'

sign "$firmware_key/other"
! insmod signed.ko 2>kernel.log || fail "the kernel accepts an unknown key"
checked 125 "^LACKS +module +.* is signed by 'Some other key', a key that this kernel does not trust: run 'mokutil --import "
refused 'signed modules only'

sign "$firmware_key/mok"
insmod signed.ko || fail "the kernel refuses the firmware's key"
rmmod record_skb
checked 0 "^unknown +module +.*, signed by 'record-skb test key', a key in the keyring \\.platform, which not all kernels use"
trace-cmd record-skb -o signed.dat -- ping -q -c 1 127.0.0.1 >said 2>&1 || fail "no recording: $(cat said)"
has "$(cat said)" '^2 packets matched' "a recording with the signed module"
