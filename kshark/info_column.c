// SPDX-License-Identifier: LGPL-2.1
/* info_column.c - text of the Info column for rows with a label */
#include <stdio.h>
#include <string.h>

#include "info_column.h"

char *info_add_label(const char *own, const char *label)
{
	const int comment = strlen(label) + (int)strlen("/*  */");
	const char *bar = strchr(own, '|');
	int indent, pad, ret;
	char *both;

	if (!bar || (int)strlen(own) + 1 + comment <= INFO_COLUMNS) {
		ret = asprintf(&both, "%s /* %s */", own, label);
		return ret < 0 ? NULL : both;
	}
	indent = strspn(bar + 1, " ");
	pad = indent - comment - 1;
	ret = asprintf(&both, "%.*s /* %s */%*s%s", (int)(bar + 1 - own), own, label,
		       pad > 1 ? pad : 1, "", bar + 1 + indent);
	return ret < 0 ? NULL : both;
}
