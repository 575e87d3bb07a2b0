// SPDX-License-Identifier: LGPL-2.1
/*
 * info.c - what the Info column shows of a row that has a label
 */
#include <stdio.h>
#include <string.h>

#include "info.h"

char *info_labelled(const char *own, const char *label)
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
