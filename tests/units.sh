# SPDX-License-Identifier: GPL-2.0
# Part of tests/run: build and run the unit tests. For kernel 6.1 they run on this machine, and for other
# kernels in the folder of the kernel's release. They run at the lowest priority beside the guests, which wait
# for the emulated machine's clock a third of the time.
#
# Each folder of tests/unit has a Makefile with the target check, which prints TAP: each line "ok" or "not ok"
# is a test. If make fails without a "not ok", that is a failed test as well. A Makefile with the comment
# "Host's release only" needs packages that the folders of other releases do not have.
# shellcheck disable=SC2154 # The caller sets the other variables.

# unit_run NAME: build and run the tests in tests/unit/NAME. The log and the exit status are below
# $build/$kernel/unit.
unit_run() {
	local log=$build/$kernel/unit/$1.log status=0
	mkdir -p "$build/$kernel/unit/$1"
	CMOCKA_MESSAGE_OUTPUT=TAP $enter make --no-print-directory -s -C "$here/unit/$1" \
		O="$build/$kernel/unit/$1" check >"$log" 2>&1 || status=$?
	echo "$status" >"$log.status.new"
	mv "$log.status.new" "$log.status"
}

# unit_results NAME: print and count the results in the log that unit_run() wrote
unit_results() {
	local name=$1 log=$build/$kernel/unit/$1.log status line plan=0 n=0 seen_failure=
	status=$(cat "$log.status")
	while IFS= read -r line; do
		case $line in
		"ok "*"# SKIP"* | "ok "*"# skip"*)
			echo "SKIPPED: ${line##*#}" >"$log.skip"
			result 4 "unit $name: $(unit_name "$line") [$kernel]" "$log.skip"
			;;
		"ok "*) result 0 "unit $name: $(unit_name "$line") [$kernel]" "$log" ;;
		"not ok "*)
			# All tests of a folder have one log. So show the log only for the first failed
			# test.
			result 1 "unit $name: $(unit_name "$line") [$kernel]" "$([ -n "$seen_failure" ] && echo /dev/null || echo "$log")"
			seen_failure=y
			;;
		1..*)
			plan=$((plan + ${line#1..}))
			continue
			;;
		*) continue ;;
		esac
		n=$((n + 1))
	done <"$log"
	if [ "$status" != 0 ] && [ -z "$seen_failure" ]; then
		result 1 "unit $name: make check ended with status $status [$kernel]" "$log"
	elif [ "$n" = 0 ]; then
		result 1 "unit $name: ran no test [$kernel]" "$log"
	elif [ "$plan" != 0 ] && [ "$plan" != "$n" ]; then
		result 1 "unit $name: planned $plan tests, ran $n [$kernel]" "$log"
	fi
}

# start_unit_tests: run the selected unit tests in the background, as many at a time as guests. Folders with
# the comment "Takes long" in the Makefile come first, so that no long test runs alone at the end. Sets $units
# to the process, and $unit_names and $unit_kernel.
start_unit_tests() {
	local makefile name release enter=''
	unit_kernel=$kernel
	release=$(release_of "$kernel")
	[ "$release" = bookworm ] || enter="$vm/enter $release"
	unit_names=()
	for makefile in $(cd "$here/unit" && for flag in l L; do grep -$flag "^# Takes long" -- */Makefile; done); do
		name=${makefile%/Makefile}
		chosen "$name" || continue
		[ -z "$enter" ] || ! grep -q "^# Host's release only" "$here/unit/$makefile" || continue
		unit_names+=("$name")
		rm -f "$build/$kernel/unit/$name.log.status"
	done
	[ ${#unit_names[@]} != 0 ] || return 0
	# shellcheck disable=SC2046,SC2086
	[ -z "$enter" ] || "$vm/release" "$release" $unit_packages $($enter "$top/lib/preflight" --qt)
	{
		trap ended TERM
		renice -n 19 "$BASHPID" >/dev/null
		for name in "${unit_names[@]}"; do
			while [ "$(jobs -pr | wc -l)" -ge "$guests_at_once" ]; do
				wait -n
			done
			unit_run "$name" &
		done
		wait
	} &
	units=$!
}

# new_unit_results: print the results of the folders that have finished since the last call.
new_unit_results() {
	local name left=() kernel=${unit_kernel:-}
	for name in ${unit_names[@]+"${unit_names[@]}"}; do
		if [ -e "$build/$kernel/unit/$name.log.status" ]; then
			unit_results "$name"
		else
			left+=("$name")
		fi
	done
	unit_names=(${left[@]+"${left[@]}"})
}

# finish_unit_tests: wait for all unit tests, and print their results.
finish_unit_tests() {
	[ -n "$units" ] || return 0
	while kill -0 "$units" 2>/dev/null; do
		new_unit_results
		sleep 1
	done
	units=
	new_unit_results
}

# unit_name LINE: print the name of the test in a TAP line: "ok 3 - name", "ok - name" or "ok name"
unit_name() {
	sed -E 's/^(not )?ok *[0-9]* *(- *)?//; s/ *#.*//' <<<"$1"
}
