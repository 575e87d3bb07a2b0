# SPDX-License-Identifier: GPL-2.0
# awk -v func=FUNCTION[|FUNCTION…] [-v dev=DEVICE] -f rows.awk -f recorded.awk REPORT RAW: print the packets
# at the probe points FUNCTION, in the format of tapped.awk. REPORT and RAW are the outputs of trace-cmd
# report without and with -R, for the same trace. The addresses come from REPORT, and the other fields from
# RAW. With -v padded=1, print for short packets the length to which Ethernet pads them.

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
