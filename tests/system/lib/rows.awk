# SPDX-License-Identifier: GPL-2.0
# rows.awk - shared by the awk programs: read a row of trace-cmd report, which differs slightly between
# versions, and a field of a row of report -R

# row(): read the current line. Return 0 if the line is not a row of a trace. Otherwise set pid, cpu, time,
# event, rest and task. The value of task is the same in all rows of one task, or of the idle task of one
# CPU (see "Order" in events.md).
function row(	at) {
	if (!match($0, /-[0-9]+ +\[[0-9]+\]/))
		return 0
	at = substr($0, RSTART + 1, RLENGTH - 2)
	pid = at + 0
	sub(/.*\[/, "", at)
	cpu = at + 0
	task = pid ? pid : "0/" cpu
	rest = substr($0, RSTART + RLENGTH)
	# Newer versions of trace-cmd print flags here, such as "d..2.".
	if (!match(rest, /[0-9]+\.[0-9]+: +[a-z_0-9]+: */))
		return 0
	at = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	# The name of the gate of a shared recording ends with the recording's number. Remove it.
	sub(/record_skb_gate_[0-9]/, "record_skb_gate", rest)
	time = event = at
	sub(/:.*/, "", time)
	sub(/^[^ ]* +/, "", event)
	sub(/:.*/, "", event)
	return 1
}

# field(NAME): return the value of the field NAME in a row of report -R
function field(name,	value) {
	if (!match(" " rest, " " name "="))
		return ""
	value = substr(" " rest, RSTART + RLENGTH)
	if (substr(value, 1, 6) == "ARRAY[")
		sub(/\].*/, "", value)
	else
		sub(/ .*/, "", value)
	return value
}

# hex(DIGITS): return the value of a hexadecimal number, because not every awk has strtonum()
function hex(digits,	i, n) {
	for (i = 1; i <= length(digits); i++)
		n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return n
}

# end_of(ARRAY): return "ADDRESS:PORT" for the bytes of a struct sockaddr_in
function end_of(array,	byte) {
	sub(/.*\[/, "", array)
	split(array, byte, ", *")
	return hex(byte[5]) "." hex(byte[6]) "." hex(byte[7]) "." hex(byte[8]) ":" \
		(hex(byte[3]) * 256 + hex(byte[4]))
}

function wrong(what) {
	print FILENAME ":" FNR ": " what ": " $0 > "/dev/stderr"
	failed = 1
	exit 1
}
