# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# debug-files.sh - files with debug information for one function, and the source line of a drop in report-skb
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

build_id() { # NOTES
	# The build ID is the note of type 3 with the name "GNU" and 20 bytes.
	od -An -v -tx1 "$1" | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p'
}
# fake FILE ID FUNCTION OFFSET [SOURCE]: make FILE with the build ID ID and made-up debug information. It says
# that line 77 of net/ipv4/FUNCTION.c has the call that returns to FUNCTION+OFFSET. SOURCE is linked into
# FILE.
fake() {
	cat >"$OUT/fake.c" <<-END
		#line 70 "net/ipv4/$3.c"
		__attribute__((naked, used)) void $3(void) {
		#line 76
		__asm__(".skip $(($4 - 1)), 0x90");
		#line 77
		__asm__("nop");
		#line 78
		__asm__(".skip 64, 0x90");
		}
	END
	mkdir -p "$(dirname "$1")"
	gcc -gdwarf-4 -O0 -fcf-protection=none -nostdlib -static -Wl,-e,0 -Wl,--build-id=0x"$2" -o "$1" "$OUT/fake.c" ${5+"$5"}
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
