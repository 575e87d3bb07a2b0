# SPDX-License-Identifier: GPL-2.0
# The end of tests/vm/run: was it the script, the kernel, or the emulator? Shows the kernel's log if one failed.
# shellcheck disable=SC2154 # What is not set here, the caller has.

# What a kernel says when something is wrong with it; not all of it panics, and not all of it taints.
splats=$vm/splats

# Without the boot, if it came through that; it is of no interest then.
show_log() {
	echo "--- the kernel's log:"
	if grep -aq 'tests/vm: the script starts' "$log"; then
		sed '1,/tests\/vm: the script starts/d; /tests\/vm: the script ended/,$d' "$log"
	else
		tail -n 200 "$log"
	fi | tr -d '\r'
	echo "--- end of the kernel's log"
} >&2

fail() {
	show_log
	die "$*"
}

# A hub that joins two devices of one guest is meant to be joined to nothing else.
sed '/is not connected to host network/d' "$tmp/qemu.log" >&2

if [ -e "$tmp/timeout" ]; then
	fail "the guest was not done after $timeout seconds"
fi
# What was asked for, and has to come, is no complaint.
if [ -n "$crash" ]; then
	[ "$(grep -a -c "Kernel panic.*$crash" "$log")" = 1 ] || fail "the guest's kernel did not panic once and say \"$crash\""
	sed -i "/Kernel panic.*$crash/d" "$log"
fi
if complaint=$(grep -a -E -m 1 -f "$splats" "$log"); then
	fail "the guest's kernel complained: $(echo "$complaint" | tr -d '\r')"
fi
[ "$qemu_status" = 0 ] || fail "qemu ended with status $qemu_status"
[ -s "$tmp/vm/tainted" ] || fail "the guest died before the script was done"
# Bits: 5 bad page, 7 died, 9 warned, 14 soft lockup.
[ $(($(cat "$tmp/vm/tainted") & (1 << 5 | 1 << 7 | 1 << 9 | 1 << 14))) = 0 ] ||
	fail "the guest's kernel is tainted: $(cat "$tmp/vm/tainted")"

status=$(cat "$tmp/vm/status")
[ "$status" = 0 ] || show_log
exit "$status"
