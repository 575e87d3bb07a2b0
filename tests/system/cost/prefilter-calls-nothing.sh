#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the compiled prefilter calls no function of another file, and preserves the registers of arguments
# requires: objdump

. "$(dirname "$0")/../lib/lib.sh"

# probe_entry.S calls prefilter_rejects() before it saves any register. Therefore it must not call a
# function of another file, because that function may change the registers of the arguments. It must not
# jump to such a function either: compilers turn a tail call into a jump.
module=$(modinfo -n record_skb)
if [ "${module##*.}" = xz ]; then
	xz -dc "$module" >/tmp/record_skb.ko
	module=/tmp/record_skb.ko
fi
objdump -dr --no-show-raw-insn "$module" >/tmp/code
# body FUNCTION: print the code of FUNCTION
body() {
	awk -v name="<$1>:" '$2 == name { on = 1; next } on && /^$/ { exit } on' /tmp/code
}

for function in prefilter_rejects rejects_other; do
	code=$(body $function)
	[ -n "$code" ] || fail "no function $function in $module"
	others=$(awk '$2 ~ /^R_X86_64_(PLT32|PC32)$/ && $3 !~ /^(__x86_return_thunk|record_skb_|const_|current_task|pcpu_hot|\.|rejects_other)/ { print $3 }' <<<"$code")
	is "$others" "" "functions of other files that $function calls"
	is "$(grep -cE '\bjmp\b.*<(rejects_other|prefilter_rejects)>$' <<<"$code")" 0 "jumps from $function to a function"
	for register in rdi:edi:dil rsi:esi:sil rdx:edx:dl rcx:ecx:cl r8:r8d:r8b r9:r9d:r9b; do
		# If the function writes this register, it must also save the register.
		grep -vE '\b(cmp|test|bt|push|nop)[a-z]*\b' <<<"$code" | grep -qE "[ ,]%(${register//:/|})\$" || continue
		register=${register%%:*}
		is "$(grep -cE "push +%$register\$" <<<"$code") saved" "1 saved" "$function preserves %$register"
	done
done
