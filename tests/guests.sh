# SPDX-License-Identifier: GPL-2.0
# Part of tests/run: run system tests in guests. By default, two guests run at a time. An emulated guest keeps
# a CPU of this machine busy, so more guests than CPUs would save no time.
#
# The comment "# vm:" of a test has options for tests/vm/run. Tests with the same options share guests. A
# guest takes one test after the other (tests/batch) until none is left. If the guest dies, or a test leaves
# it changed, a new guest takes the remaining tests. The results are in
# $dir/AREA/BEHAVIOUR/{status,log,seconds}.
# shellcheck disable=SC2154 # The caller sets the other variables.

guests_at_once=${GUESTS:-2}

# header FILE WORD: print the text of the comment "# WORD:" at the top of FILE.
header() {
	sed -n "/^[^#]/q; s/^# $2: *//p" "$1"
}

# all_tests: print the path of each test below $system.
all_tests() {
	local test
	for test in "$system"/*/*.sh; do
		case $test in
		"$system"/lib/*) ;;
		*) echo "$test" ;;
		esac
	done
}

# waiting TESTS…: print the tests in this list that no guest has begun.
waiting() {
	local test
	for test; do
		test=${test#"$system/"}
		[ -e "$dir/${test%.sh}" ] || echo "$system/$test"
	done
}

# unfinished GUEST: print the results directory of the test that GUEST has begun and not finished. The
# function runs every two seconds while the guests need the CPUs, so it starts no process in its loop over the
# tests.
unfinished() {
	local claim owner
	for claim in "$dir"/*/*/guest; do
		[ -e "$claim" ] && [ ! -e "${claim%/guest}/status" ] && read -r owner <"$claim" || continue
		[ "$owner" != "$1" ] || echo "${claim%/guest}"
	done
}

# watch GUEST PID: end the guest if its current test exceeds the time limit by a minute. tests/batch should
# have ended the test at the limit; if it did not, the guest's kernel hangs.
watch() {
	local claim limit now patience=3
	[ "$kernel" != debug ] || patience=10
	while kill -0 "$2" 2>/dev/null; do
		sleep 2
		claim=$(unfinished "$1")
		[ -n "$claim" ] || continue
		limit=$(header "$system/${claim#"$dir/"}.sh" timeout)
		now=$(date +%s)
		[ $((now - $(stat -c %Y "$claim/guest"))) -gt $((${limit:-120} * patience + 60)) ] || continue
		kill -USR1 "$2" 2>/dev/null
		return
	done
}

# complained GUEST: true if the guest's kernel reported an error during a test. In this case, tests/batch
# has already reported the test as failed.
complained() {
	local claim
	for claim in "$dir"/*/*/guest; do
		[ -e "$claim" ] || continue
		[ "$(cat "$claim")" != "$1" ] || [ ! -s "${claim%/guest}/complaints" ] || return 0
	done
	return 1
}

# ended: the handler of SIGTERM in a process that runs guests. Kill all processes that this process started.
ended() {
	# shellcheck disable=SC2046
	kill $(jobs -p) 2>/dev/null
	exit 143
}

# worker OPTIONS NUMBER TESTS…: start guests with OPTIONS, one after the other, until no test is left.
worker() {
	local options=$1 worker=$2 n=0 left guest log pid status claim
	trap ended TERM
	shift 2
	while left=$(waiting "$@") && [ -n "$left" ]; do
		n=$((n + 1))
		guest=$worker.$n
		log=$dir/guest.$guest.log
		# shellcheck disable=SC2086
		eval "set -- $options $(printf '%q ' "$here/batch" "$guest" $left)"
		"$here/vm/run" -k "$kernel" --stage "$dir/stage" -o "$dir" --timeout 10000 "$@" >"$log" 2>&1 &
		pid=$!
		watch "$guest" "$pid" &
		status=0
		wait "$pid" || status=$?
		wait $!
		claim=$(unfinished "$guest")
		if [ -n "$claim" ]; then
			{
				echo "FAILED: the guest died in this test:"
				cat "$log"
			} >>"$claim/log"
			echo 125 >"$claim/status"
		elif [ "$status" != 0 ] && ! grep -qsx "$guest" "$dir"/*/*/guest; then
			# The guest failed before it began any test. A second guest would also fail, so do
			# not start one.
			cp "$log" "$dir/no-guest"
			return
		elif [ "$status" != 0 ] && ! complained "$guest"; then
			# The guest failed after its last test, so the result of no test includes this
			# error.
			cp "$log" "$dir/late-$guest"
		fi
		# shellcheck disable=SC2086
		set -- $left
	done
}

# often TESTS…: print the names of the files that tests open again and again. These are the programs that the
# tests call, their libraries, the files that each program reads at its start, and the product. KernelShark is
# left out: one of its libraries is larger than all other files together.
often() {
	local enter
	enter="$vm/enter $(builder_of "$(release_of "$kernel")")"
	cat "$@" "$here/system/lib/lib.sh" | grep -v '^[[:space:]]*#' | grep -oE '[a-z][a-z0-9_-]+' | sort -u |
		$enter bash -c 'while read -r word; do type -P "$word"; done | grep -v kernelshark | xargs ldd' |
		sed -nE 's,^[^/]*(/[^ :]+).*,\1,p' | sort -u |
		$enter xargs bash -c 'printf "%s\n" "$@" && find "$@" -maxdepth 0 -lname "/*" -printf "%l\n"' -
	printf '%s\n' /{bin,sbin,lib,lib64} /etc/{ld.so.cache,passwd,group,nsswitch.conf} /usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache \
		/usr/share/locale/locale.alias
	$enter find /usr/lib/locale/C.utf8 /usr/lib/x86_64-linux-gnu/traceevent/plugins -type f || :
	find "$dir/stage" -type f -printf '/%P\n'
	find "$here/system" -type f ! -path '*/lib/traffic/*'
} 2>/dev/null

# often_here TESTS…: print the files of often() with their paths in the guest. Only the name of the
# architecture differs between the paths on this machine and in the guest.
often_here() {
	often "$@" | sed "s/x86_64-linux-gnu/$(triplet_of "$kernel")/"
}

# longest_first TESTS…: sort the tests by the seconds that they took when they last passed, the longest first.
# Then the guests finish their last tests at about the same time. A test that has not passed yet counts with a
# tenth of its time limit.
longest_first() {
	local test name limit
	local -A took=()
	while read -r name limit; do
		took[$name]=$limit
	done < <(cat "$build/seconds.$kernel" 2>/dev/null)
	for test; do
		name=${test#"$system/"}
		name=${name%.sh}
		limit=$(header "$test" timeout)
		echo "${took[$name]:-$((${limit:-120} / 10))} $test"
	done | sort -s -k 1,1nr | cut -d " " -f 2-
}

# note_seconds TESTS…: write how many seconds each passed test took to $build/seconds.$kernel, for
# longest_first().
note_seconds() {
	local test name
	touch "$build/seconds.$kernel"
	for test; do
		name=${test#"$system/"}
		name=${name%.sh}
		[ "$(cat "$dir/$name/status" 2>/dev/null)" != 0 ] || echo "$name $(cat "$dir/$name/seconds")"
	done | cat - "$build/seconds.$kernel" | sort -s -u -k 1,1 >"$build/seconds.new"
	mv "$build/seconds.new" "$build/seconds.$kernel"
}

# by_size: sort the options of the groups by the number of tests in the group, the smallest first. Sets
# $in_turn.
by_size() {
	local options
	in_turn=()
	while read -r _ options; do
		in_turn+=("$options")
	done < <(for options in "${!groups[@]}"; do
		echo "$(wc -w <<<"${groups[$options]}") $options"
	done | sort -s -k 1,1n)
}

# run_guests TESTS…: run the tests on $kernel, and write the results below $dir. Tests with the same options
# are a group. For a group with one test, only one of the workers starts a guest.
run_guests() {
	local test options in_turn
	trap ended TERM
	often_here "$@" >"$dir/often"
	declare -A groups=()
	for test in $(longest_first "$@"); do
		# $options is the index of an array, and in bash an index must not be empty. So $options
		# begins with "--smp 2"; the options of the test come later and override it.
		options=$(header "$test" vm)
		options="--smp 2${options:+ $options}"
		groups[$options]="${groups[$options]:-} $test"
	done
	by_size
	for ((worker = 1; worker <= guests_at_once; worker++)); do
		group=0
		for options in "${in_turn[@]}"; do
			group=$((group + 1))
			# shellcheck disable=SC2086
			set -- ${groups[$options]}
			if [ $# -gt 1 ] || mkdir "$dir/group.$group" 2>/dev/null; then
				worker "$options" "$worker.$group" "$@"
			fi
		done &
	done
	wait
}
