// SPDX-License-Identifier: GPL-2.0
/* package_hint.c - the command that installs a package on this distribution */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "package_hint.h"
#include "text.h"

/**
 * struct family - distributions with the same package manager
 * @id: name of the family in os-release, in the field ID or ID_LIKE
 * @command: shell command that installs packages
 * @headers: name of the package with the kernel headers; the kernel's release is appended if @has_release is
 *	set
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

/* Find the distribution family that a line such as ID_LIKE="rhel fedora" names. */
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

char *package_hint(const char *os_release, const char *package)
{
	return xasprintf("%s%s", family_of(os_release)->command, package);
}

char *package_hint_headers(const char *os_release, const char *release)
{
	const struct family *family = family_of(os_release);

	return xasprintf("%s%s%s", family->command, family->headers,
			 family->has_release ? release : "");
}
