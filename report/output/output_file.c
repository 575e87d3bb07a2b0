// SPDX-License-Identifier: GPL-2.0
/* output_file.c - open and close a file that an option names, such as --html FILE */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "output/output_file.h"

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/*
 * Return: true if the file begins like a file of trace-cmd. The function reads regular files only, because
 * reading from a pipe or a device could block or have side effects.
 */
static bool is_recording(const char *path)
{
	static const char magic[] = "\x17\x08\x44tracing";
	char begin[sizeof(magic) - 1];
	struct stat info;
	FILE *file;
	bool is;

	if (stat(path, &info) || !S_ISREG(info.st_mode))
		return false;
	file = fopen(path, "r");
	if (!file)
		return false;
	is = fread(begin, sizeof(begin), 1, file) == 1 && !memcmp(begin, magic, sizeof(begin));
	fclose(file);
	return is;
}

FILE *output_file_open(const char *path, const char *recording, const char *option, struct err *err)
{
	FILE *file;
	int fd;

	if (!strcmp(path, "-"))
		return stdout;
	if (is_same_file(recording, path)) {
		err_set(err,
			"'%s' is the recording, which %s would overwrite: give another file "
			"name",
			path, option);
		return NULL;
	}
	if (is_recording(path)) {
		err_set(err,
			"'%s' is another recording, which %s would overwrite: give another "
			"file name",
			path, option);
		return NULL;
	}
	/*
	 * Give only the owner the right to read the file, because it contains headers of packets of all
	 * users.
	 */
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		err_set(err, "cannot write '%s': %s", path, strerror(errno));
	return file;
}

int output_file_close(FILE *file, const char *path, struct err *err)
{
	bool failed = ferror(file);

	if (file == stdout ? fflush(file) : fclose(file))
		failed = true;
	return failed ? err_set(err, "cannot write '%s': %s", path, strerror(errno)) : 0;
}
