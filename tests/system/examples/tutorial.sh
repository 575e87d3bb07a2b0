#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the commands of Documentation/tutorial.md print what the tutorial shows, with numbers masked
# requires: nft socat
# kernels: 6.1
# timeout: 400

# Network: first namespace veth0 (10.9.0.1) --- eth0 (10.9.0.2) server; the page makes it.

. "$(dirname "$0")/../lib/lib.sh"

page=$top/Documentation/tutorial.md
cd "$OUT"
at_exit sh -c 'ip netns del server 2>/dev/null; :'

# Split the page's indented blocks into commands ("# COMMAND") and their output. Write them to 1.command,
# 1.shown, 2.command and so on.
steps=$(awk '
	/^    # / { n++; print substr($0, 7) > n ".command"; printf "" > n ".shown"; block = 1; next }
	/^    / && n && block { print substr($0, 5) > n ".shown" }
	{ block = /^    / }
	END { print n + 0 }' "$page")
[ "$steps" -ge 20 ] || fail "the tutorial has only $steps commands"

# mask: replace numbers, times and sizes, which differ from run to run. Replace tasks, too, because a busy CPU
# leaves work to ksoftirqd.
mask() {
	sed -E 's/[0-9]+(\.[0-9]+)?/N/g; s/\bN (ns|us|ms|s)\b/TIME/g; s/\bN ([KM]?B|bytes)\b/SIZE/g; s/\bN, /N /g; s/[ \t]+/ /g; s/^ | $//g; s/^[^ ]+-N \[N\]/TASK [N]/' "$1"
}

# agrees SHOWN PRINTED: true if the lines of SHOWN agree with those of PRINTED. In SHOWN, a line "…" stands
# for any number of lines, and "…" inside a line stands for any text.
agrees() {
	awk '
	function pattern(line) {
		gsub(/[][\\.*+?(){}|^$]/, "\\\\&", line)
		gsub(/…/, ".*", line)
		return "^" line "$"
	}
	# Return true if the shown lines from line i on agree with the printed lines from line j on.
	function agree(i, j) {
		for (; i <= nr_shown; i++) {
			if (shown[i] == "…") {
				for (; j <= nr_printed + 1; j++)
					if (agree(i + 1, j))
						return 1
				return 0
			}
			if (j > nr_printed || printed[j] !~ pattern(shown[i]))
				return 0
			j++
		}
		return j > nr_printed
	}
	FNR == NR { shown[++nr_shown] = $0; next }
	{ printed[++nr_printed] = $0 }
	END { exit !agree(1, 1) }' "$1" "$2"
}

wrong=
for ((step = 1; step <= steps; step++)); do
	command=$(cat $step.command)
	bash -c "$command" >$step.printed 2>&1 || echo "exit status $?" >>$step.printed
	mask $step.shown >$step.shown.masked
	mask $step.printed >$step.printed.masked
	if agrees $step.shown.masked $step.printed.masked; then
		ok "$command"
	else
		wrong=y
		printf '%s\nThe tutorial shows:\n%s\nThe command printed:\n%s\n' "$command" "$(cat $step.shown)" "$(cat $step.printed)"
	fi
done
[ -z "$wrong" ] || fail "the tutorial does not agree"
