# SPDX-License-Identifier: GPL-2.0
# For tests that sign the module: the test installs the module with a signature, and looks at what
# record-skb says about it. The keys are in build/mok (tests/vm/mok): "mok" is known to the firmware or to
# shim, "other" is not.
# shellcheck disable=SC2034,SC2154 # The test uses the variables, or lib.sh sets them.

firmware_key=$top/build/mok

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

# checked STATUS PATTERN: run record-skb --check. Its exit status must be STATUS, and its line about the
# module must match PATTERN.
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

# unknown_key REMEDY PATTERN: install the module with a signature by an unknown key. The kernel must not
# load it. The line of --check must name the command REMEDY, and the message of a recording must match
# PATTERN.
unknown_key() {
	sign "$firmware_key/other"
	! insmod signed.ko 2>kernel.log || fail "the kernel accepts an unknown key"
	checked 125 "^LACKS +module +.* is signed by 'Some other key', a key that this kernel does not trust: run '$1"
	refused "$2"
}

# known_key WHAT KEYRING: install the module with a signature by the known key, and record with it. WHAT
# describes the key in messages. The line of --check must say that the key is in KEYRING.
known_key() {
	sign "$firmware_key/mok"
	insmod signed.ko || fail "the kernel refuses $1"
	rmmod record_skb
	checked 0 "^unknown +module +.*, signed by 'record-skb test key', a key in the $2"
	trace-cmd record-skb -o signed.dat -- ping -q -c 1 127.0.0.1 >said 2>&1 || fail "no recording: $(cat said)"
	has "$(cat said)" '^2 packets matched' "a recording with the signed module"
}
