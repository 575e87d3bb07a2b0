// SPDX-License-Identifier: GPL-2.0
/*
 * host_command.c - the hosts of --on: parse their names, and make the names of their files and the commands
 * for them
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/control.h"
#include "hosts/host_command.h"

static int add_host(struct strings *hosts, const char *host, struct err *err)
{
	if (!*host)
		return err_set(err, "--on: a name of a host is empty");
	if (*host == '-')
		return err_set(err, "--on %s: a name of a host cannot begin with '-'", host);
	for (const char *c = host; *c; c++)
		if (isspace((unsigned char)*c) || iscntrl((unsigned char)*c))
			return err_set(err, "--on %s: a name of a host has no blanks", host);
	for (size_t i = 0; i < hosts->n; i++)
		if (!strcmp(hosts->v[i], host))
			return err_set(err, "--on: %s is given twice", host);
	strings_add(hosts, host);
	return 0;
}

int hosts_parse(const struct strings *values, struct strings *hosts, struct err *err)
{
	char *all, *rest, *host;
	int ret = 0;

	for (size_t i = 0; i < values->n && !ret; i++) {
		all = rest = xstrdup(values->v[i]);
		while (!ret && (host = strsep(&rest, ",")))
			ret = add_host(hosts, host, err);
		free(all);
	}
	return ret;
}

char *host_file(const char *output, const char *host)
{
	static const char extension[] = ".dat", scheme[] = "ssh://";
	const size_t n = strlen(output), tail = strlen(extension);
	const size_t stem = n > tail && !strcmp(output + n - tail, extension) ? n - tail : n;
	const char *at;
	char *name, *file;

	if (!strncmp(host, scheme, strlen(scheme)))
		host += strlen(scheme);
	at = strrchr(host, '@');
	name = xstrdup(at ? at + 1 : host);
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._:-", *c))
			*c = '_';
	file = xasprintf("%.*s-%s%s", (int)stem, output, name, output + stem);
	free(name);
	return file;
}

/* Append a blank and @word, in quotes of a POSIX shell, to @text. Frees @text and returns the result. */
static char *add_quoted(char *text, const char *word)
{
	char *quoted = xrealloc(NULL, 4 * strlen(word) + 3), *to = quoted, *both;

	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *word;
	}
	strcpy(to, "'");
	both = xasprintf("%s %s", text, quoted);
	free(quoted);
	free(text);
	return both;
}

char *host_command(const struct strings *args, const char *name)
{
	static const char *const program[] = { "trace-cmd", "record-skb", CONTROL_ARG };
	char *text = add_quoted(
		xstrdup("exec sh -c"),
		"if [ \"$(id -u)\" = 0 ]; then exec \"$@\"; else exec sudo -n \"$@\"; fi");

	text = add_quoted(text, "sh");
	for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++)
		text = add_quoted(text, program[i]);
	text = add_quoted(text, name);
	for (size_t i = 0; i < args->n; i++)
		text = add_quoted(text, args->v[i]);
	return text;
}

void host_ssh(const char *program, const char *host, struct strings *words)
{
	/*
	 * Options of ssh. Use no terminal, because the output has the bytes of the file. Forward nothing, so
	 * that no port is opened. Notice a dead connection after 15 seconds.
	 */
	static const char *const options[] = {
		"-T",
		"-x",
		"-a",
		"-o",
		"BatchMode=yes",
		"-o",
		"ClearAllForwardings=yes",
		"-o",
		"ServerAliveInterval=5",
		"-o",
		"ServerAliveCountMax=3",
		"--",
	};
	char *copy = xstrdup(program && *program ? program : "ssh"), *rest = copy, *word;

	while ((word = strsep(&rest, " \t")))
		if (*word)
			strings_add(words, word);
	free(copy);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		strings_add(words, options[i]);
	strings_add(words, host);
}
