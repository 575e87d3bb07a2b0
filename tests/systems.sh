# SPDX-License-Identifier: GPL-2.0
# Part of tests/run: select the system tests for $kernel (with $tag), run them, and print the results.
# shellcheck disable=SC2154 # The caller sets the other variables.

# has_tag TEST TAG: true if the test has the tag
has_tag() {
	case " $(header "$1" tags) " in
	*" $2 "*) ;;
	*) return 1 ;;
	esac
}

# has_one_tag TEST TAG,TAG…: true if the test has one of the tags
has_one_tag() {
	local each
	for each in ${2//,/ }; do
		! has_tag "$1" "$each" || return 0
	done
	return 1
}

# not_on_arm64 NAME: true if tests/not-on-arm64 lists the test for $kernel
not_on_arm64() {
	local pattern
	while read -r pattern _; do
		# shellcheck disable=SC2053 # The list has patterns.
		[[ $1 != $pattern && $1@$(linux_of "$kernel") != $pattern ]] || return 0
	done <"$here/not-on-arm64"
	return 1
}

# for_us TEST: true if the test is for $kernel and $tag, and the user has selected it
for_us() {
	local kernels linux name
	kernels=$(header "$1" kernels)
	linux=$(linux_of "$kernel")
	case " ${kernels:-$linux} " in
	*" $linux "*) ;;
	*) return 1 ;;
	esac
	case $tag in
	"") ;;
	-*) ! has_one_tag "$1" "${tag#-}" || return 1 ;;
	*) has_tag "$1" "$tag" || return 1 ;;
	esac
	name=${1#"$system/"}
	name=${name%.sh}
	[ "$(arch_of "$kernel")" != arm64 ] || ! not_on_arm64 "$name" || return 1
	chosen "$name"
}

# new_results: print the results that are new since the last call. The array $told has the names of all
# tests whose results were printed, because tests put files of their own into $dir. This function runs each
# second while the guests need the CPUs. So it starts no process for a test without a new result.
new_results() {
	local test name
	for test in "${tests[@]}"; do
		name=${test#"$system/"}
		name=${name%.sh}
		[ -e "$dir/$name/status" ] && [ -z "${told[$name]:-}" ] || continue
		told[$name]=y
		result "$(cat "$dir/$name/status")" "$name [$kernel] $(cat "$dir/$name/seconds" 2>/dev/null || echo -)s" \
			"$dir/$name/log"
	done
}

# select_tests: set the array $tests to the tests for $kernel and $tag
select_tests() {
	local test
	tests=()
	for test in $(all_tests); do
		! for_us "$test" || tests+=("$test")
	done
}

system_tests() {
	local test name work before=$failed
	local -A told=()
	select_tests
	for test in "${tests[@]}"; do
		[ -x "$test" ] || die "$test: not executable; try: chmod +x $test"
	done
	[ ${#tests[@]} != 0 ] || return 0

	find "$build/results" -mindepth 1 -maxdepth 1 -mmin +600 -exec rm -r {} +
	dir=$(mktemp -d "$build/results/$kernel.XXXXXX")
	# Install the product into a stage for this run, so that all guests have the same product even if
	# the sources change during the run.
	if ! { "$vm/product" "$kernel" "$dir/stage" && "$vm/programs" "$kernel"; } >"$dir/no-guest" 2>&1; then
		result 1 "the product builds [$kernel]" "$dir/no-guest"
		return 0
	fi
	for work in $(work_of_host "${tests[@]}"); do
		"$here/$work" "$kernel" >"$dir/no-guest" 2>&1 || result 1 "tests/$work" "$dir/no-guest"
	done
	rm -f "$dir/no-guest"

	run_guests "${tests[@]}" &
	guests=$!
	while kill -0 "$guests" 2>/dev/null; do
		new_results
		new_unit_results
		sleep 1
	done
	guests=
	new_results
	note_seconds "${tests[@]}"

	for test in "${tests[@]}"; do
		name=${test#"$system/"}
		name=${name%.sh}
		[ ! -e "$dir/$name/status" ] || continue
		echo "it was not run" >"$dir/no-result"
		result 1 "$name [$kernel]" "$dir/no-result"
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
