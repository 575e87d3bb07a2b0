#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: messages distinguish a kernel that is locked down, or accepts only signed modules, from a kernel that lacks something
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --append lockdown=integrity

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
has "$(cat /sys/kernel/security/lockdown)" '\[integrity\]' "the kernel is locked down"

# refused PATTERN: check that record-skb prints one line that matches PATTERN, and leaves nothing behind
refused() {
	is "$(status_of trace-cmd record-skb -p 9000 -- true)" 125 "exit status"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	has "$(cat stderr)" "^trace-cmd record-skb: .*$1" "the message"
	[ ! -e trace.dat ] || fail "a trace.dat was left behind"
}

# record_skb.ko has no signature here.
refused 'does not allow loading this module: with lockdown'
echo 1 >/sys/module/module/parameters/sig_enforce
refused 'accepts only signed modules'

# --check must report the same before a recording.
checked() { # PATTERN
	is "$(status_of trace-cmd record-skb --check)" 125 "--check"
	has "$(cat stdout)" "^LACKS +module +$1" "the module"
}
checked 'this kernel accepts only signed modules: sign record_skb .*record_skb\(4\)'

# Append to record_skb.ko the signature of one of the kernel's own modules. The kernel trusts the signer, but
# the signature does not fit. The kernel must still refuse the module.
unpacked() {
	case $1 in
	*.xz) xzcat "$1" ;;
	*) cat "$1" ;;
	esac
}
module=$(modinfo -n record_skb)
pack="cat"
[[ $module != *.xz ]] || pack="xz --check=crc32"
unpacked "$(modinfo -n dummy)" >signed
[ "$(tail -c 28 signed)" = '~Module signature appended~' ] || fail "this kernel's modules are not signed"
# The four bytes before this text are the length of the signature, with the most significant byte first.
size=$(tail -c 32 signed | head -c 4 | od -An -t u1 | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
{
	unpacked "$module"
	tail -c $((size + 12 + 28)) signed
} | $pack >ours
mount --bind ours "$module"
at_exit umount "$module"
signer=$(modinfo -F signer record_skb)
[ -n "$signer" ] || fail "the module has no signer"
! modprobe record_skb 2>refused || fail "the kernel accepts the module"
has "$(cat refused)" 'Key was rejected|Bad message' "the kernel refuses it"
is "$(status_of trace-cmd record-skb --check)" 0 "--check with that one"
has "$(cat stdout)" "^unknown +module +.*, signed by '$signer'; a key of this name is in the kernel's keyring \\.builtin_trusted_keys\$" "--check names the keyring"
has "$(tail -n 1 stdout)" '^a recording is possible, unless one of the unknown points above prevents it$' "the last line says so"

# In a container without securityfs, the lockdown mode cannot be seen.
umount /sys/kernel/security
is "$(status_of trace-cmd record-skb --check)" 0 "--check without securityfs"
has "$(cat stdout)" '^unknown +lockdown +securityfs is not mounted' "the line about lockdown"
mount -t securityfs none /sys/kernel/security

# After this command, no module can be loaded until the next boot, whether signed or not.
echo 1 >/proc/sys/kernel/modules_disabled
! modprobe dummy 2>refused || fail "a module was loaded"
checked 'kernel.modules_disabled is 1: no module can be loaded until the next boot$'
refused 'kernel.modules_disabled is 1: no module can be loaded until the next boot'
