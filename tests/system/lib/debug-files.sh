# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# debug-files.sh - files with debug information for one function, and the source line of a drop in report-skb
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

build_id() { # NOTES
	# The build ID is the note of type 3 with the name "GNU" and 20 bytes.
	od -An -v -tx1 "$1" | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p'
}
# fake FILE ID FUNCTION OFFSET [TWIN]: make FILE with the build ID ID and made-up debug information. The
# debug information says that a call is on line 77 of net/ipv4/FUNCTION.c, and that this call returns to
# FUNCTION+OFFSET. The source of FUNCTION is in source_line.c. If TWIN is given, it is a file in assembly
# language that is linked into FILE.
fake() {
	local call=1 objects=("$OUT/fake.o")
	# The call is one instruction, and the assembler of arm64 refuses lines at addresses within an instruction.
	[ "$(uname -m)" != aarch64 ] || call=4
	sed "s/FUNCTION/$3/g" "$(made_on_host source_line.s)" | as --defsym "before=$(($4 - call))" -o "$OUT/fake.o" -
	if [ $# -gt 4 ]; then
		as -o "$OUT/twin.o" "$5"
		objects+=("$OUT/twin.o")
	fi
	mkdir -p "$(dirname "$1")"
	ld -static -e 0 --build-id="0x$2" -o "$1" "${objects[@]}"
}
# place NAME: print the place of the drop in NAME.dat as FUNCTION+0xOFFSET
place() {
	trace-cmd report -i "$OUT/$1.dat" 2>/dev/null | sed -n 's/.* drop: .* dropped at \([a-z0-9_.]*+0x[0-9a-f]*\).*/\1/p' | head -n 1
}
dropped() { # NAME [OPTION…]
	local name=$1 number
	shift
	number=$(trace-cmd report-skb -i "$OUT/$name.dat" --json 2>/dev/null |
		sed -n 's/^{"type":"[a-z]*","number":\([0-9]*\),.*"what":"dropped".*/\1/p' | head -n 1)
	trace-cmd report-skb -i "$OUT/$name.dat" "$@" --packet "$number" 2>&1 | grep -E ' dropped in |source lines:'
}
