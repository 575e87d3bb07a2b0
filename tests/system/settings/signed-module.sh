#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: on a kernel that requires signed modules: no signature, an unknown key, and a key of the firmware
# kernels: 6.1 6.12 newest
# vm: --uefi --append module.sig_enforce=1

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
firmware_key=$top/build/mok
has "$(cat /proc/keys)" 'record-skb test key' "the kernel has the firmware's key"

module=$(modinfo -n record_skb)
case $module in
*.xz) xzcat "$module" ;;
*) cat "$module" ;;
esac >unsigned.ko
cp "$module" installed
mount --bind installed "$module"
at_exit umount "$module"

# sign KEY: install the module with a signature by KEY.key and KEY.pem
sign() {
	cp unsigned.ko signed.ko
	"$(find /usr/lib/linux-kbuild-*/scripts -name sign-file | tail -n 1)" sha256 "$1.key" "$1.pem" signed.ko
	case $module in
	*.xz) xz --check=crc32 <signed.ko >installed ;;
	*) cp signed.ko installed ;;
	esac
}

# checked STATUS PATTERN: check that --check exits with STATUS, and that its line about the module matches
# PATTERN
checked() {
	is "$(status_of trace-cmd record-skb --check)" "$1" "--check"
	has "$(cat stdout)" "$2" "the line about the module"
}

# refused PATTERN: check that a recording fails with one line that matches PATTERN
refused() {
	is "$(status_of trace-cmd record-skb -p 9000 -- true)" 125 "a recording"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	has "$(cat stderr)" "^trace-cmd record-skb: .*$1" "the message"
}

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
