# SPDX-License-Identifier: GPL-2.0
# The figures of measure.sh as one JSON object: { "SETTING": { "WHAT": VALUE, … }, … }
BEGIN { FS = "\t"; printf "{" }
$1 != setting { printf "%s\n\t\"%s\": {", setting == "" ? "" : "\n\t},", $1; setting = $1; comma = "" }
{ printf "%s\n\t\t\"%s\": %s", comma, $2, $3; comma = "," }
END { print setting == "" ? "}" : "\n\t}\n}" }
