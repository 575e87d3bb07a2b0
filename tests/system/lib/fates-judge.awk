# SPDX-License-Identifier: GPL-2.0
# awk -f fates-judge.awk ROWS VERDICTS: check verdicts. VERDICTS is the output of fates.awk. ROWS has two
# kinds of lines:
#
#   row<tab>NAME<tab>FLOW<tab>1 if "unknown" is allowed<tab>1 if the row is known to be wrong
#   <tab>COUNTED<tab>VERDICT, one or more lines for the row above
#
# Prints a line for each row: "ok" or "wrong", a tab, and an explanation.

BEGIN { FS = "\t" }
FNR == 1 { file++ }

file == 1 && $1 == "row" {
	rows++
	name[rows] = $2
	flow[rows] = $3
	of_copies[rows] = flow[rows] ~ / copy\$$/
	may_be_unknown[rows] = $4
	is_known[rows] = $5
	next
}
file == 1 {
	nr = ++verdicts[rows]
	counted[rows, nr] = $2
	verdict[rows, nr] = $3
	all[rows] += $2
	next
}

{
	is_copy = $1 ~ / copy$/
	for (row = 1; row <= rows; row++) {
		if (is_copy == of_copies[row] && $1 ~ flow[row])
			tell(row, $2)
	}
}

function tell(row, text,	i) {
	got[row]++
	for (i = 1; i <= verdicts[row]; i++) {
		if (text ~ "^(" verdict[row, i] ")$") {
			seen[row, i]++
			return
		}
	}
	if (text == "unknown" && may_be_unknown[row])
		unknown[row]++
	else
		others[row] = others[row] "; \"" text "\""
}

function what_is_wrong(row,	text, i) {
	text = others[row]
	if (!all[row])
		text = text "; nothing of it happened"
	if (got[row] + 0 != all[row])
		text = text "; " got[row] + 0 " packets of " all[row]
	for (i = 1; i <= verdicts[row]; i++) {
		if (seen[row, i] > counted[row, i] || (seen[row, i] < counted[row, i] && !unknown[row]))
			text = text "; " seen[row, i] + 0 " of " counted[row, i] " \"" verdict[row, i] "\""
	}
	return substr(text, 3)
}

function counts(row,	text, i) {
	for (i = 1; i <= verdicts[row]; i++)
		text = text " " counted[row, i]
	return text (unknown[row] ? ", " unknown[row] " unknown" : "")
}

END {
	for (row = 1; row <= rows; row++) {
		wrong = what_is_wrong(row)
		if (is_known[row])
			print wrong ? "ok\t" name[row] ": known to be wrong: " wrong : \
				"wrong\t" name[row] ": the verdict is right now; remove wrong_today"
		else
			print wrong ? "wrong\t" name[row] ": " wrong : "ok\t" name[row] ":" counts(row)
	}
}
