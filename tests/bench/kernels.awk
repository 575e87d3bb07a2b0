# SPDX-License-Identifier: GPL-2.0
# awk -f names.awk -f kernels.awk kernel=NAME FIGURES kernel=NAME FIGURES …: print a table with the kernels
# side by side. Its first row, without a recording, has numbers of instructions; the other rows have multiples
# of the first row.
FNR == 1 { kernels[++nr_kernels] = kernel }
!($1 in seen) { seen[$1]; settings[++nr_settings] = $1 }
{ figure[kernel, $1, $2] = $3 }

function cell(kernel, setting, what) {
	if (!((kernel, setting, what) in figure))
		return setting ~ /^(bpftrace|pwru)/ ? "not available" : ""
	if (setting == "bare")
		return grouped(figure[kernel, setting, what])
	return sprintf("%.2f", figure[kernel, setting, what] / figure[kernel, "bare", what])
}

# table(columns, names): print a table with a row for each setting that has at least one of the figures.
# columns: the figures; names: their headings.
function table(columns, names,    nr_whats, whats, heads, head, line, s, w, k, any) {
	nr_whats = split(columns, whats, " ")
	split(names, heads, "|")
	head = "| |"
	line = "|---|"
	for (w = 1; w <= nr_whats; w++) {
		for (k = 1; k <= nr_kernels; k++) {
			head = head " " (k == 1 ? heads[w] ", " : "") kernels[k] " |"
			line = line "---:|"
		}
	}
	print head
	print line
	for (s = 1; s <= nr_settings; s++) {
		line = "| " name[settings[s]] " |"
		any = 0
		for (w = 1; w <= nr_whats; w++)
			for (k = 1; k <= nr_kernels; k++) {
				line = line " " cell(kernels[k], settings[s], whats[w]) " |"
				any += (kernels[k], settings[s], whats[w]) in figure
			}
		if (any)
			print line
	}
}

END {
	table("udp tcp", "UDP round trip|TCP round trip")
	print ""
	table("process file file_running", "process and file|open, fstat, close and stat|the same in a process that was running before")
}
