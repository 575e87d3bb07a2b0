# SPDX-License-Identifier: GPL-2.0
# For tests that sign the module: the test installs the module with a signature, and looks at what
# record-skb says about it. The keys are in build/mok (tests/vm/mok): "mok" is known to the firmware or to
# shim, "other" is not, and neither is "same", which has the name of "mok".
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

# certificate KEY: let record-skb find the certificate of KEY where DKMS has its own
mkdir -p /var/lib/dkms
mount -t tmpfs none /var/lib/dkms
at_exit umount /var/lib/dkms
certificate() {
	cp "$firmware_key/$1.der" /var/lib/dkms/mok.pub
}

# unknown_key REMEDY PATTERN: install the module with a signature by unknown keys. The kernel must not load it. The line of
# --check must end with REMEDY, and the message of a recording must match PATTERN. Without the certificate, --check cannot
# know that the kernel has no such key.
unknown_key() {
	local key
	for key in other same; do
		sign "$firmware_key/$key"
		! insmod signed.ko 2>kernel.log || fail "the kernel accepts the unknown key $key"
		certificate "$key"
		checked 125 "^LACKS +module +.* is signed by '.* key', a key that this kernel does not trust$1"
		refused "$2"
		rm /var/lib/dkms/mok.pub
	done
	checked 0 "^unknown +module +.*, signed by 'record-skb test key'; a key of this name is in the"
	sign "$firmware_key/other"
	checked 0 "^unknown +module +.*, signed by 'Some other key'; this kernel has no key of this name: if it refuses"
	certificate mok
	checked 0 "^unknown +module +.*, signed by 'Some other key'; this kernel has no key of this name: if it refuses"
}

# known_key WHAT KEYRING: install the module with a signature by the known key, and record with it. WHAT
# describes the key in messages. The line of --check must say that the key is in KEYRING.
known_key() {
	sign "$firmware_key/mok"
	certificate mok
	insmod signed.ko || fail "the kernel refuses $1"
	checked 0 "^ok +module +loaded, with a valid signature of a key that this kernel trusts$"
	rmmod record_skb
	checked 0 "^unknown +module +.*, signed by 'record-skb test key', a key in the $2"
	trace-cmd record-skb -o signed.dat -- ping -q -c 1 127.0.0.1 >said 2>&1 || fail "no recording: $(cat said)"
	has "$(cat said)" '^2 packets matched' "a recording with the signed module"
}
