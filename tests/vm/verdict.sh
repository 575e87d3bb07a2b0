# SPDX-License-Identifier: GPL-2.0
# The end of tests/vm/run: decide if the script, the kernel or the emulator failed. After a failure, show the
# kernel's log.
# shellcheck disable=SC2154 # The caller sets the other variables.

# The kernel's messages about its own errors; not all of them panic, and not all of them taint.
splats=$vm/splats

# Show the log without the boot messages, if the boot succeeded.
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

# A hub that joins two devices of one guest is not meant to be connected to anything else.
sed '/is not connected to host network/d' "$tmp/qemu.log" >&2

if [ -e "$tmp/timeout" ]; then
	fail "the guest was not done after $timeout seconds"
fi
# A requested panic must happen, and is not an error.
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
