#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --check accepts a complete machine, and reports missing rights and a missing tracefs exactly once, with a remedy that works
# timeout: 300

# Run in a new mount namespace, so that the mounts over files disappear with the test.
[ -n "${MOUNTS:-}" ] || MOUNTS=y exec unshare --mount "$0"
. "$(dirname "$0")/../lib/lib.sh"
. "$here/lacking.sh"

has "$(cat all)" '^ok +tracer +function_graph$' "function_graph"
has "$(cat all)" '^ok +module +/.*/record_skb\.ko' "the module"
has "$(cat all)" '^ok +plugin +/.*/plugin_record_skb\.so$' "the plugin"
version=$({ trace-cmd version || :; } | sed -n "s/^trace-cmd version \([0-9.]*\).*/\1/p")
[ -n "$version" ] || fail "trace-cmd does not say its version"
has "$(cat all)" "^ok +trace-cmd +/.*/trace-cmd, version $version\$" "trace-cmd's version"
has "$(cat all)" '^ok +registers +ftrace(_regs)?_caller$' "ftrace's registers"
has "$(cat all)" '^a recording is possible$' "all is there"
! grep -q '^record_skb ' /proc/modules || fail "--check has loaded the module"

# unseen: --check cannot examine some rows here. Check that it prints "unknown" for them.
unseen() {
	local row
	for row in tracer 'function filter' kprobes 'other recordings' 'other tracing' 'unread trace' 'other instances' 'other probes' 'probe points'; do
		has "$(cat said)" "^unknown +$row +cannot be checked$" "$row: unknown"
	done
}

# Run --check as a user without rights, and then as root without tracefs and without the right to mount it.
checked "a user other than root" setpriv --reuid 65534 --clear-groups
lacks rights 'you are not root' 'run it with sudo$'
unseen
umount -R "$tracing"
umount -R /sys/kernel/debug 2>/dev/null || :
checked "without tracefs, as in a container" setpriv --bounding-set -sys_admin
lacks tracefs 'is not mounted and cannot be mounted'
unseen
eval "$(sed -n "s/.*Try '\(.*\)'$/\1/p" said)"
all_mended
