# SPDX-License-Identifier: GPL-2.0
# The end of tests/vm/run: find out if the script, the kernel or the emulator failed. If one of them did, show
# the kernel's log.
# shellcheck disable=SC2154 # The caller sets the other variables.

# The file "splats" has patterns for the messages by which the kernel reports its own errors. Not each of
# these errors causes a panic or a taint.
splats=$vm/splats

# show_log: show the kernel's log, from the start of the script if the guest booted.
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

# qemu warns that a hub has no connection to the host. The hub joins two devices of one guest and needs no
# such connection, so hide the warning.
sed '/is not connected to host network/d' "$tmp/qemu.log" >&2

if [ -e "$tmp/timeout" ]; then
	fail "the guest was not done after $timeout seconds"
fi
# With --crash, the test wants the kernel to panic once, with these words. Such a panic is not an error.
if [ -n "$crash" ]; then
	[ "$(grep -a -c "Kernel panic.*$crash" "$log")" = 1 ] || fail "the guest's kernel did not panic once and say \"$crash\""
	sed -i "/Kernel panic.*$crash/d" "$log"
fi
if complaint=$(grep -a -E -m 1 -f "$splats" "$log"); then
	fail "the guest's kernel complained: $(echo "$complaint" | tr -d '\r')"
fi
[ "$qemu_status" = 0 ] || fail "qemu ended with status $qemu_status"
[ -s "$tmp/vm/tainted" ] || fail "the guest died before the script was done"
# Fail for these taint bits: 5 bad page, 7 died, 9 warned, 14 soft lockup.
[ $(($(cat "$tmp/vm/tainted") & (1 << 5 | 1 << 7 | 1 << 9 | 1 << 14))) = 0 ] ||
	fail "the guest's kernel is tainted: $(cat "$tmp/vm/tainted")"

status=$(cat "$tmp/vm/status")
[ "$status" = 0 ] || show_log
exit "$status"
