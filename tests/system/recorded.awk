# SPDX-License-Identifier: GPL-2.0
# awk -v func=FUNCTION[|FUNCTION…] [-v dev=DEVICE] -f rows.awk -f recorded.awk REPORT RAW: the packets that probe points saw, a line
# for each, as tapped.awk prints them. REPORT and RAW are of the same trace, RAW by report -R: the one has the
# addresses, the other all else. With -v padded=1 packets are as long as Ethernet makes them.

!row() || event != "packet" { next }

FNR == NR {
	match(rest, /[^ ]+ > [^ ]+/)
	ends[++n] = substr(rest, RSTART, RLENGTH)
	gsub(/:0( |$)/, " ", ends[n])
	sub(/ +$/, "", ends[n])
	next
}

{ m++ }

field("func") ~ "^(" func ")$" && (dev == "" || field("dev") == dev) {
	printf "%d %s flags %d seq %.0f ack %.0f len %d\n", field("proto"), ends[m], field("tcp_flags"), field("seq"),
		field("ack"), padded && field("len") + 0 < 46 ? 46 : field("len")
}
