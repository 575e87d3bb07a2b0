# SPDX-License-Identifier: GPL-2.0
# Print the figures that measure.sh wrote as one JSON object: { "SETTING": { "WHAT": VALUE, … }, … }
BEGIN { FS = "\t" }
!($1 in values) { settings[++nr_settings] = $1 }
{ values[$1] = values[$1] sprintf("%s\n\t\t\"%s\": %s", values[$1] == "" ? "" : ",", $2, $3) }
END {
	printf "{"
	for (i = 1; i <= nr_settings; i++)
		printf "%s\n\t\"%s\": {%s\n\t}", i == 1 ? "" : ",", settings[i], values[settings[i]]
	print nr_settings ? "\n}" : "}"
}
