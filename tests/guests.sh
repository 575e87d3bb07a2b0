# SPDX-License-Identifier: GPL-2.0
# Part of tests/run: system tests in guests, two of them at a time: an emulated guest uses one of our
# CPUs, and with more of them than CPUs each takes longer than it saves.
#
# Tests with the same options for tests/vm/run (# vm:) share guests. A guest takes the tests one by one
# (tests/batch) until none is left; if it dies or was left changed, the rest gets a new one.
# Results come as $results/KERNEL/NAME/{status,log,seconds}.
# shellcheck disable=SC2154 # What is not set here, the caller has.

guests_at_once=${GUESTS:-2}

# header FILE WORD: what the comment "# WORD:" of FILE says.
header() {
	sed -n "/^[^#]/q; s/^# $2: *//p" "$1"
}

# Those of TESTS… which no guest has begun.
waiting() {
	local test
	for test; do
		[ -e "$dir/$(basename "$test" .sh)" ] || echo "$test"
	done
}

# The test which GUEST began and has not finished. Asked every two seconds beside guests that want the CPUs, so without a
# process for each test.
unfinished() {
	local claim owner
	for claim in "$dir"/*/guest; do
		[ -e "$claim" ] && [ ! -e "${claim%/guest}/status" ] && read -r owner <"$claim" || continue
		[ "$owner" != "$1" ] || echo "${claim%/guest}"
	done
}

# watch GUEST PID: a kernel that hangs does not keep to a test's time limit; end the guest then.
watch() {
	local claim limit now patience=3
	[ "$kernel" != debug ] || patience=10
	while kill -0 "$2" 2>/dev/null; do
		sleep 2
		claim=$(unfinished "$1")
		[ -n "$claim" ] || continue
		limit=$(header "$system/$(basename "$claim").sh" timeout)
		now=$(date +%s)
		[ $((now - $(stat -c %Y "$claim/guest"))) -gt $((${limit:-120} * patience + 60)) ] || continue
		kill -USR1 "$2" 2>/dev/null
		return
	done
}

# GUEST's kernel complained, and a test has failed for it.
complained() {
	local claim
	for claim in "$dir"/*/guest; do
		[ "$(cat "$claim")" != "$1" ] || [ ! -s "${claim%/guest}/complaints" ] || return 0
	done
	return 1
}

# ended: what a process of guests does when it is told to end: so do those that it started.
ended() {
	# shellcheck disable=SC2046
	kill $(jobs -p) 2>/dev/null
	exit 143
}

# One guest after the other for TESTS…, which all want the options OPTIONS.
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
		elif [ "$status" != 0 ] && ! grep -qsx "$guest" "$dir"/*/guest; then
			# It did not come to a test; another one will not either.
			cp "$log" "$dir/no-guest"
			return
		elif [ "$status" != 0 ] && ! complained "$guest"; then
			# Something happened after the last test was judged.
			cp "$log" "$dir/late-$guest"
		fi
		# shellcheck disable=SC2086
		set -- $left
	done
}

# often TESTS…: the files which these open again and again: the programs that they name, with their libraries, what each of them
# reads when it starts, and the product. One of a window's libraries is larger than all others together.
often() {
	local enter
	enter="$vm/enter $(release_of "$kernel")"
	cat "$@" "$here/system/lib.sh" | grep -v '^[[:space:]]*#' | grep -oE '[a-z][a-z0-9_-]+' | sort -u |
		$enter bash -c 'while read -r word; do type -P "$word"; done | grep -v kernelshark | xargs ldd' |
		sed -nE 's,^[^/]*(/[^ :]+).*,\1,p' | sort -u |
		$enter xargs bash -c 'printf "%s\n" "$@" && find "$@" -maxdepth 0 -lname "/*" -printf "%l\n"' -
	printf '%s\n' /{bin,sbin,lib,lib64} /etc/{ld.so.cache,passwd,group,nsswitch.conf} /usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache \
		/usr/share/locale/locale.alias
	$enter find /usr/lib/locale/C.utf8 /usr/lib/x86_64-linux-gnu/traceevent/plugins -type f || :
	find "$dir/stage" -type f -printf '/%P\n'
	find "$here/system" -maxdepth 1 -type f
} 2>/dev/null

# longest_first TESTS…: by what they say of themselves. Then the guests have their last ones done at the same time.
longest_first() {
	local test limit
	for test; do
		limit=$(header "$test" timeout)
		echo "${limit:-120} $test"
	done | sort -s -k 1,1nr | cut -d " " -f 2-
}

# by_size: the options of all groups, those of few tests first. Sets $in_turn.
by_size() {
	local options
	in_turn=()
	while read -r _ options; do
		in_turn+=("$options")
	done < <(for options in "${!groups[@]}"; do
		echo "$(wc -w <<<"${groups[$options]}") $options"
	done | sort -s -k 1,1n)
}

# run_guests TESTS…: on $kernel, results in $dir. A group with one test needs no second guest.
run_guests() {
	local test options in_turn
	trap ended TERM
	often "$@" >"$dir/often"
	declare -A groups=()
	for test in $(longest_first "$@"); do
		# Never empty: bash has no such subscript. The later option wins.
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
