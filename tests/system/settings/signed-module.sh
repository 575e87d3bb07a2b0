#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: on a kernel that requires signed modules, a module signed with a key of the firmware works; a missing signature and an unknown key are reported
# kernels: 6.1 6.12 newest
# vm: --uefi --append module.sig_enforce=1

. "$(dirname "$0")/../lib/lib.sh"
cd "$OUT"
. "$here/signing.sh"

has "$(cat /proc/keys)" 'record-skb test key' "the kernel has the firmware's key"

checked 125 '^LACKS +module +this kernel accepts only signed modules: sign record_skb '
refused 'only signed modules'

# A key of the firmware counts without Secure Boot, but the kernel then ignores the keys that mokutil enrols.
[ -e /sys/firmware/efi/efivars/SecureBoot-* ] || mount -t efivarfs none /sys/firmware/efi/efivars
is "$(od -An -t u1 -j 4 /sys/firmware/efi/efivars/SecureBoot-* | tr -d ' ')" 0 "Secure Boot"
unknown_key ', and without Secure Boot no key can be enrolled: boot without ' 'only signed modules'
known_key "the firmware's key" 'keyring \.platform, which not all kernels use'
