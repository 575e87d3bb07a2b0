# SPDX-License-Identifier: GPL-2.0
# Part of tests/run: which system tests to run on $kernel (with $tag), and what came of it.
# shellcheck disable=SC2154 # What is not set here, the caller has.

# has_tag TEST TAG
has_tag() {
	case " $(header "$1" tags) " in
	*" $2 "*) ;;
	*) return 1 ;;
	esac
}

# for_us TEST: is it for this kernel and tag, and did the user ask for it?
for_us() {
	local kernels
	kernels=$(header "$1" kernels)
	case " ${kernels:-$kernel} " in
	*" $kernel "*) ;;
	*) return 1 ;;
	esac
	case $tag in
	"") ;;
	-*) ! has_tag "$1" "${tag#-}" || return 1 ;;
	*) has_tag "$1" "$tag" || return 1 ;;
	esac
	chosen "$(basename "$1" .sh)"
}

# Print the results that came since the last time. What is told is not noted in $dir, where tests put files of their own.
# Asked each second beside guests that want the CPUs: no process for a test that has no news.
new_results() {
	local test name
	for test in "${tests[@]}"; do
		name=${test##*/}
		name=${name%.sh}
		[ -e "$dir/$name/status" ] && [ -z "${told[$name]:-}" ] || continue
		told[$name]=y
		result "$(cat "$dir/$name/status")" "$name [$kernel] $(cat "$dir/$name/seconds" 2>/dev/null || echo -)s" \
			"$dir/$name/log"
	done
}

system_tests() {
	local test name work before=$failed
	tests=()
	local -A told=()
	for test in "$system"/[0-9]*.sh; do
		[ -e "$test" ] && for_us "$test" || continue
		[ -x "$test" ] || die "$test: not executable; try: chmod +x $test"
		tests+=("$test")
	done
	[ ${#tests[@]} != 0 ] || return 0

	find "$build/results" -mindepth 1 -maxdepth 1 -mmin +600 -exec rm -r {} +
	dir=$(mktemp -d "$build/results/$kernel.XXXXXX")
	# All guests get the same product, whatever is edited in the meantime.
	if ! { "$vm/product" "$kernel" "$dir/stage" && "$vm/programs" "$kernel"; } >"$dir/no-guest" 2>&1; then
		result 1 "the product builds [$kernel]" "$dir/no-guest"
		return 0
	fi
	for work in $(work_of_host "${tests[@]}"); do
		"$here/$work" >"$dir/no-guest" 2>&1 || result 1 "tests/$work" "$dir/no-guest"
	done
	rm -f "$dir/no-guest"

	run_guests "${tests[@]}" &
	guests=$!
	while kill -0 "$guests" 2>/dev/null; do
		new_results
		sleep 1
	done
	guests=
	new_results

	for test in "${tests[@]}"; do
		name=$(basename "$test" .sh)
		[ ! -e "$dir/$name/status" ] || continue
		echo "it was not run" >"$dir/$name.why"
		result 1 "$name [$kernel]" "$dir/$name.why"
	done
	for log in "$dir"/no-guest "$dir"/late-*; do
		[ ! -e "$log" ] || result 1 "the guest [$kernel]" "$log"
	done

	if [ "$failed" = "$before" ]; then
		rm -r "$dir"
	else
		echo "# what the tests left is in ${dir#"$top/"}"
	fi
}
