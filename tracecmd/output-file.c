// SPDX-License-Identifier: GPL-2.0
/* The trace.dat to be written. */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output-file.h"
#include "strlist.h"

static int check_directory(const char *file, struct err *err)
{
	const char *slash = strrchr(file, '/');
	char *dir = slash ? xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file) :
			    xstrdup(".");
	char *probe = xasprintf("%s/.record-skb-XXXXXX", dir);
	int fd, ret = 0;

	/* access() would only ask about permissions, which root has; a try asks about all. */
	fd = mkstemp(probe);
	if (fd < 0) {
		ret = err_set(err, "cannot write to the directory %s: %s", dir, strerror(errno));
	} else {
		close(fd);
		unlink(probe);
	}
	free(probe);
	free(dir);
	return ret;
}

int output_check(struct output *output, const char *file, struct err *err)
{
	output->file = file;
	output->existed = !stat(file, &output->before);
	if (!*file)
		return err_set(err, "-o needs the name of a file");
	if (output->existed && !S_ISREG(output->before.st_mode))
		return err_set(err, "cannot write to %s: it is not a regular file", file);
	if (output->existed && access(file, W_OK))
		return err_set(err, "cannot write to %s: %s", file, strerror(errno));
	return check_directory(file, err);
}

static char *escape_glob(const char *s)
{
	char *escaped = xrealloc(NULL, 2 * strlen(s) + 1), *to = escaped;

	for (; *s; s++) {
		if (strchr("*?[\\", *s))
			*to++ = '\\';
		*to++ = *s;
	}
	*to = '\0';
	return escaped;
}

void output_remove_parts(const char *file)
{
	char *escaped = escape_glob(file);
	char *pattern = xasprintf("%s.cpu[0-9]*", escaped);
	glob_t found;

	if (!glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
		globfree(&found);
	}
	free(pattern);
	free(escaped);
}

void output_discard(const struct output *output)
{
	struct stat now;

	if (!stat(output->file, &now) &&
	    (!output->existed || now.st_ino != output->before.st_ino ||
	     now.st_mtim.tv_sec != output->before.st_mtim.tv_sec ||
	     now.st_mtim.tv_nsec != output->before.st_mtim.tv_nsec))
		unlink(output->file);
	output_remove_parts(output->file);
}
