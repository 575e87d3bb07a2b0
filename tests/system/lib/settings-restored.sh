# SPDX-License-Identifier: GPL-2.0
# settings-restored.sh - two namespaces, and conditions for wait_for after a recording has failed
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

cd "$OUT"
two_namespaces
tracing_settings >before

# is_as_before: true if the settings of tracing are those from before the recording
is_as_before() {
	tracing_settings >after
	cmp -s before after
}

# unloaded: true if the module is not loaded
unloaded() {
	! grep -q '^record_skb ' /proc/modules
}
