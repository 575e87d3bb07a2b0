# SPDX-License-Identifier: GPL-2.0
# awk -v func=FUNCTION -f rows.awk -f packets.awk RAW: print each packet that was recorded at FUNCTION once,
# in the format of wire.awk. With number=1, each line begins with the number of the packet.

row() && event == "packet" && field("func") == func && !seen[field("pkt")]++ {
	printf "%s%s > %s flags %d seq %.0f ack %.0f len %d\n", number ? field("pkt") " " : "",
		end_of(field("saddr")), end_of(field("daddr")), field("tcp_flags"), field("seq"), field("ack"),
		field("len")
}
