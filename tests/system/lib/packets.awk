# SPDX-License-Identifier: GPL-2.0
# awk -v func=FUNCTION -f rows.awk -f packets.awk RAW: print each packet at a probe point once, in the format
# of wire.awk. With number=1, the packet's number precedes it.

row() && event == "packet" && field("func") == func && !seen[field("pkt")]++ {
	printf "%s%s > %s flags %d seq %.0f ack %.0f len %d\n", number ? field("pkt") " " : "",
		end_of(field("saddr")), end_of(field("daddr")), field("tcp_flags"), field("seq"), field("ack"),
		field("len")
}
