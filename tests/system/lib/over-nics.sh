# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# over-nics.sh - recordings of a ping over two cards of $driver, and their functions, beside other traffic
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

cd "$OUT"
nics "$driver"
neighbours_are_known
noise_servers B
noise

# record NAME ARGS…: record a ping. The recording is NAME.dat, and its reports are NAME.report and NAME.raw.
record() {
	local name=$1
	shift
	is "$(status_of in_a trace-cmd record-skb -o "$name.dat" "$@" -- ping -q -c 1 10.9.0.2)" 0 \
		"$name: exit status"
	nothing_lost stderr
	nothing_of_noise "$name.dat"
	mv report "$name.report"
	mv raw "$name.raw"
}

# functions NAME: print the functions that have entries in NAME.raw
functions() {
	awk -f "$here/rows.awk" -f <(echo 'row() && event == "funcgraph_entry" { print field("func") }') "$1.raw" | sort -u
}
