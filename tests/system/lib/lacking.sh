# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# lacking.sh - trace-cmd record-skb --check on a machine that lacks something, and the remedies that --check
# suggests
#
# shellcheck disable=SC2154 # lib.sh sets the variables.
# The file "all" has the output of --check on a machine that lacks nothing. The file "said" has the output of
# the last call of checked().

cd "$OUT"
trace-cmd record-skb --check >all || fail "--check: $(cat all)"

# checked WHAT [COMMAND…]: let COMMAND start record-skb --check. The exit status of --check must say that
# the machine lacks something.
checked() {
	is "$(status_of "${@:2}" trace-cmd record-skb --check)" 125 "$1"
	cp stdout said
}

# lacks ROW SAID [MEND]: check the row ROW in the file "said". It must say that something is missing, and
# match SAID. The remedy below it must match MEND.
lacks() {
	has "$(cat said)" "^(LACKS  |without) +$1 +.*$2" "$1: lacking"
	[ -z "${3:-}" ] || has "$(grep -A 1 -E "^(LACKS  |without) +$1 " said)" "to fix it: .*$3" "$1: the suggested remedy"
}

# mend ROW: run the remedy that --check has printed below ROW
mend() {
	eval "$(grep -A 1 -E "^LACKS +$1 " said | sed -n 's/.*to fix it: //p')" >/dev/null
}

hide() {
	at_exit show "$1"
	mv "$1" "$1.hidden"
}
show() {
	[ ! -e "$1.hidden" ] || mv "$1.hidden" "$1"
}
# over TEXT FILE: hide FILE behind a file with TEXT, by a bind mount
over() {
	printf '%s\n' "$1" >"${2##*/}"
	mount --bind "${2##*/}" "$2"
}

# all_mended: check that --check prints the same as on the complete machine
all_mended() {
	trace-cmd record-skb --check >again || :
	diff all again || fail "the suggested remedies did not restore everything"
	ok "all is fixed"
}
