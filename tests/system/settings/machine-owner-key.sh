#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with Secure Boot (shim and grub), a module signed with an enrolled MOK works; a missing signature and an unknown key are reported
# tags: slow
# kernels: 6.1 6.12 newest
# vm: --secure-boot

. "$(dirname "$0")/../lib/lib.sh"
cd "$OUT"
. "$here/signing.sh"

[ -e /sys/firmware/efi/efivars/SecureBoot-* ] || mount -t efivarfs none /sys/firmware/efi/efivars
has "$(cat /sys/kernel/security/lockdown)" '\[integrity\]' "Secure Boot locks the kernel down"
has "$(dmesg)" 'Secure boot enabled' "the kernel says so"
has "$(cat /proc/keys)" 'record-skb test key' "the kernel has the MOK"
# Print the keyrings for the log of a failed test.
awk '/keyring +[.]/' /proc/keys

! insmod unsigned.ko 2>kernel.log || fail "the kernel accepts a module without a signature"
checked 125 '^LACKS +module +this kernel accepts only signed modules: sign record_skb '
refused '(lockdown|only signed modules)'

unknown_key ": run 'mokutil --import /var/lib/dkms/mok\.pub' and 'systemctl reboot', and choose \"Enroll MOK\" at the boot" '(lockdown|only signed modules)'
known_key "the MOK" "(kernel's )?keyring \.(machine|platform)"
