# SPDX-License-Identifier: GPL-2.0
# Read a trace of the module. For each packet, print its probe points, and "|" for its end. It is an error
# if an entry is older than the first wall_clock event.

function wrong(what) {
	print what ": " $0 >"/dev/stderr"
	failed = 1
	exit 1
}
!match($0, /: (packet|drop|end|wall_clock): /) { next }
{ split(substr($0, RSTART + 2), word, " ") }
word[1] == "wall_clock:" { clocks++; next }
!clocks { wrong("before the beginning") }
{ way[word[2]] = way[word[2]] " " (word[1] == "packet:" ? word[3] : "|") }
END {
	if (!failed && clocks != 2)
		wrong(clocks + 0 " wall clocks")
	for (packet in way)
		print way[packet]
	exit failed
}
