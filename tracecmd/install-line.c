// SPDX-License-Identifier: GPL-2.0
/* How a package is installed here. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "install-line.h"
#include "strlist.h"

/**
 * struct family - distributions that install in the same way
 * @id: what their os-release says, as ID or among ID_LIKE
 * @command: installs packages
 * @headers: what the package of a kernel's headers is called; @has_release: before its release
 */
/* clang-format off */
static const struct family {
	const char *id, *command, *headers;
	bool has_release;
} families[] = {
	{ "debian", "apt install ",    "linux-headers-",       true },
	{ "ubuntu", "apt install ",    "linux-headers-",       true },
	{ "fedora", "dnf install ",    "kernel-devel-",        true },
	{ "rhel",   "dnf install ",    "kernel-devel-",        true },
	{ "suse",   "zypper install ", "kernel-default-devel", false },
};
/* clang-format on */

static const struct family unknown = {
	.command = "install the package ",
	.headers = "with the headers of kernel ",
	.has_release = true,
};

/* In a line such as ID_LIKE="rhel fedora". */
static const struct family *family_of_line(const char *line)
{
	const char *words;
	size_t n;

	if (strncmp(line, "ID=", 3) && strncmp(line, "ID_LIKE=", 8))
		return NULL;
	for (words = strchr(line, '='); *words; words += n) {
		words += strspn(words, "=\"' \n");
		n = strcspn(words, "\"' \n");
		for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
			if (strlen(families[i].id) == n && !strncmp(families[i].id, words, n))
				return &families[i];
	}
	return NULL;
}

static const struct family *family_of(const char *os_release)
{
	FILE *in = fopen(os_release, "re");
	const struct family *family = NULL;
	char line[256];

	while (in && !family && fgets(line, sizeof(line), in))
		family = family_of_line(line);
	if (in)
		fclose(in);
	return family ? family : &unknown;
}

char *install_line(const char *os_release, const char *package)
{
	return xasprintf("%s%s", family_of(os_release)->command, package);
}

char *install_headers_line(const char *os_release, const char *release)
{
	const struct family *family = family_of(os_release);

	return xasprintf("%s%s%s", family->command, family->headers,
			 family->has_release ? release : "");
}
