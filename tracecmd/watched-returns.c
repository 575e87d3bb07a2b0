// SPDX-License-Identifier: GPL-2.0
/* Returns of functions that others watch by what function_graph stands on. */
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "strlist.h"
#include "watched-returns.h"

/* "name [module] (count) M\ttramp: ... subops: {ent:... ret:...} {ent:fprobe_... ret:fprobe_...}" */
char *watched_return(void)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line, *name = NULL;

	while (!name && rest && (line = strsep(&rest, "\n")))
		if (strstr(line, " ret:fprobe_"))
			name = xasprintf("%.*s", (int)strcspn(line, " "), line);
	free(text);
	return name;
}
