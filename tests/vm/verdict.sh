# SPDX-License-Identifier: GPL-2.0
# The end of tests/vm/run: was it the script, the kernel, or the emulator? Shows the kernel's log if one failed.

# What a kernel says when something is wrong with it. Not all of it panics, and not all of it taints.
splat='(^|\] )(BUG|WARNING|Oops|Kernel panic|general protection fault|invalid opcode)|------------\[ cut here'
splat="$splat|KASAN|KCSAN|KFENCE|UBSAN|refcount_t:|INFO: (task .* blocked|rcu|possible|lockdep|inconsistent|trying to register)"
splat="$splat|detected stalls|self-detected stall|soft lockup|hard LOCKUP|suspicious RCU usage|possible (circular|recursive)"
splat="$splat|scheduling while atomic|sleeping function called|(list_add|list_del) corruption|kmemleak: [1-9]"
splat="$splat|unregister_netdevice: waiting|ODEBUG|Call Trace:|failed to modify|stack segment|double fault"

show_log() {
	echo "--- the kernel's log:"
	# The whole boot is seldom what one looks for.
	tail -n 200 "$log" | tr -d '\r'
	echo "--- end of the kernel's log"
} >&2

fail() {
	show_log
	die "$*"
}

[ -s "$tmp/qemu.log" ] && cat "$tmp/qemu.log" >&2

if [ -e "$tmp/timeout" ]; then
	fail "the guest was not done after $timeout seconds"
fi
if complaint=$(grep -a -E -m 1 "$splat" "$log"); then
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
