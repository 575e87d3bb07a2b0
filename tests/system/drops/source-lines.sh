#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb shows the source line of a drop, from a file with the build ID of the kernel or module only
# requires: gcc addr2line nft
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"

build_id() { # NOTES
	# The build ID is the note of type 3 with the name "GNU" and 20 bytes.
	od -An -v -tx1 "$1" | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p'
}
# fake FILE ID FUNCTION OFFSET [SOURCE]: a file with debug information, in which the call that returns to OFFSET is
# in line 77 of net/ipv4/FUNCTION.c. SOURCE is linked with it.
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
# The reported place of the drop of a recording: FUNCTION+0xOFFSET
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

# Nobody listens at port 9: the kernel drops the datagram.
trace-cmd record-skb -q -o "$OUT/udp.dat" -p 9 -- bash -c 'echo x >/dev/udp/127.0.0.1/9' 2>/dev/null
at=$(place udp)
echo "$at"
function=${at%+*} offset=${at#*+} id=$(build_id /sys/kernel/notes)
is "${#id}" 40 "the kernel has a build ID"
has_not "$(dropped udp)" "source lines|:[0-9]+\)" "without debug information there is no line"

fake "$OUT/vmlinux" "$id" "$function" "$offset"
start=$(nm "$OUT/vmlinux" | awk -v name="$function" '$3 == name { print $1 }')
has "$(addr2line -e "$OUT/vmlinux" "$(printf '%x' $((0x$start + offset - 1)))")" "/net/ipv4/$function.c:77" "addr2line knows it"
shown=$(dropped udp --vmlinux "$OUT/vmlinux")
has "$shown" "dropped in $function\\+$offset \\(net/ipv4/$function.c:77\\):" "the line of the call"
has "$shown" "source lines: from .*/vmlinux, which has the recorded build ID" "the file and how it was compared"
mkdir -p /usr/lib/debug/boot
cp "$OUT/vmlinux" "/usr/lib/debug/boot/vmlinux-$(uname -r)"
has "$(dropped udp)" "\\+$offset \\(net/ipv4/$function.c:77\\):" "the usual place is searched"
rm "/usr/lib/debug/boot/vmlinux-$(uname -r)"

# Never a line from a wrong file, or of a wrong function.
fake "$OUT/vmlinux" "$(tr 0-9a-f 1-9a-f0 <<<"$id")" "$function" "$offset"
shown=$(dropped udp --vmlinux "$OUT/vmlinux")
has_not "$shown" ":77" "no line from another build"
has "$shown" "source lines: not from .*/vmlinux, which is of another build" "and the reason"
echo "static __attribute__((used)) void $function(void) { }" >"$OUT/twin.c"
fake "$OUT/vmlinux" "$id" "$function" "$offset" "$OUT/twin.c"
has_not "$(dropped udp --vmlinux "$OUT/vmlinux")" ":77|source lines: not" "no line if two functions have the name"
fake "$OUT/vmlinux" "$id" "other_$function" "$offset"
has_not "$(dropped udp --vmlinux "$OUT/vmlinux")" ":77" "no line without the function"
has "$(dropped udp --vmlinux "$OUT/none")" "source lines: not from .*/none, which cannot be used" "a file that is not there"

# A module's function.
modprobe tunnel4
trace-cmd record-skb -q -o "$OUT/tunnel.dat" 'ip proto 4' -- bash -c 'echo 12345678901234567890 | socat - IP4-SENDTO:127.0.0.1:4' 2>/dev/null
at=$(place tunnel)
echo "$at"
is "${at%+*}" tunnel4_rcv "the module drops it"
fake "/usr/lib/debug/lib/modules/$(uname -r)/kernel/net/ipv4/tunnel4.ko" \
	"$(build_id /sys/module/tunnel4/notes/.note.gnu.build-id)" tunnel4_rcv "${at#*+}"
shown=$(dropped tunnel)
has "$shown" "tunnel4_rcv\\+${at#*+} \\(net/ipv4/tunnel4_rcv.c:77\\)" "the line in the module"
has "$shown" "source lines: from .*/tunnel4.ko, which has the recorded build ID" "by the module's build ID"
