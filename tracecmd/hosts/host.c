// SPDX-License-Identifier: GPL-2.0
/*
 * host.c - a host of --on: its name, its file and the command for its shell; and the connection to it: its
 * messages, its file and its error output
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hosts/control.h"
#include "hosts/host.h"

static int add_host(struct strings *hosts, const char *host, struct err *err)
{
	if (!*host)
		return err_set(err, "--on: the name of a host is empty");
	if (*host == '-')
		return err_set(err, "--on %s: the name of a host cannot begin with '-'", host);
	for (const char *c = host; *c; c++)
		if (isspace((unsigned char)*c) || iscntrl((unsigned char)*c))
			return err_set(err, "--on %s: the name of a host cannot contain blanks",
				       host);
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

unsigned long long host_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

void host_say(const struct host *host, const char *fmt, ...)
{
	char *text, *shown;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	shown = safe_text(text);
	fprintf(stderr, "%s: %s\n", host->label, shown);
	free(shown);
	free(text);
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/*
 * Runs in the child process: execute ssh in a new session, so that Ctrl-C on the terminal does not reach ssh.
 */
static void run_ssh(const struct strings *words, const int streams[3], const sigset_t *mask)
{
	setsid();
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	for (int i = 0; i < 3; i++)
		if (dup2(streams[i], i) < 0)
			_exit(EXIT_OURS);
	execvp(words->v[0], words->v);
	fprintf(stderr, "cannot run %s: %s\n", words->v[0], strerror(errno));
	_exit(EXIT_OURS);
}

int host_start(struct host *host, const struct strings *ssh, const char *command,
	       const sigset_t *mask, struct err *err)
{
	struct strings words = {};
	int in[2], out[2], error[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(error, O_CLOEXEC))
		return err_set(err, "cannot create a pipe: %s", strerror(errno));
	for (size_t i = 0; i < ssh->n; i++)
		strings_add(&words, ssh->v[i]);
	strings_add(&words, command);
	host->pid = fork();
	if (!host->pid)
		run_ssh(&words, (int[]){ in[0], out[1], error[1] }, mask);
	strings_free(&words);
	close(in[0]);
	close(out[1]);
	close(error[1]);
	host->in = in[1];
	host->out = out[0];
	host->err = error[0];
	/*
	 * Reading from a host and writing to it must not block: that would delay the messages of the other
	 * hosts.
	 */
	fcntl(host->in, F_SETFL, O_NONBLOCK);
	fcntl(host->out, F_SETFL, O_NONBLOCK);
	fcntl(host->err, F_SETFL, O_NONBLOCK);
	if (host->pid < 0) {
		host->pid = 0;
		return err_set(err, "cannot fork: %s", strerror(errno));
	}
	return 0;
}

/* Send a message to the host. Ignore errors: they mean that ssh exits, and host_is_over() notices that. */
static void say_to_host(struct host *host, const char *line)
{
	if (host->in >= 0 && write(host->in, line, strlen(line)) < 0 && errno != EAGAIN)
		close_end(&host->in);
}

void host_stop(struct host *host)
{
	if (host->state != HOST_STARTING && host->state != HOST_RECORDING)
		return;
	host->state = HOST_STOPPING;
	say_to_host(host, "stop\n");
}

void host_alive(struct host *host)
{
	say_to_host(host, "\n");
}

void host_leave(struct host *host)
{
	close_end(&host->in);
	if (host->pid && host->state != HOST_DONE)
		kill(host->pid, SIGTERM);
}

/* Report that the file cannot be written on this machine. The recording stays on the host. */
static void cannot_write(struct host *host)
{
	host_say(host, "cannot write %s: %s", host->file, strerror(errno));
	if (host->fd >= 0)
		unlink(host->file);
	close_end(&host->fd);
	host->state = HOST_FAILED;
	host_leave(host);
}

static void finish_file(struct host *host)
{
	const int ret = close(host->fd);

	host->fd = -1;
	if (ret) {
		unlink(host->file);
		cannot_write(host);
		return;
	}
	host->state = HOST_DONE;
	say_to_host(host, "have\n");
}

static void begin_file(struct host *host, const char *size)
{
	unsigned long bytes;

	if (host->state == HOST_FAILED || !number_read(size, ~0UL >> 1, &bytes))
		return;
	host->left = bytes;
	host->state = HOST_RECEIVING;
	host->fd = open(host->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (host->fd < 0)
		cannot_write(host);
	else if (!host->left)
		finish_file(host);
}

static void handle_message(struct host *host)
{
	static const char ended[] = "ended ", file[] = "file ";
	unsigned long usec;

	if (!strcmp(host->line, "armed")) {
		host->recorded = true;
		if (host->state == HOST_STARTING)
			host->state = HOST_RECORDING;
	} else if (!strcmp(host->line, "stopped")) {
		host->stopped_ns = host_now();
	} else if (!strncmp(host->line, ended, strlen(ended)) && host->recorded &&
		   number_read(host->line + strlen(ended), ~0UL >> 1, &usec)) {
		host->ended_usec = usec;
		if (host->state == HOST_RECORDING)
			host->state = HOST_STOPPING;
	} else if (!strncmp(host->line, file, strlen(file)) && host->recorded) {
		begin_file(host, host->line + strlen(file));
	}
}

/*
 * Write bytes of ssh's output to the file until the file is complete. Returns how many of the @n bytes belong
 * to the file; @n if writing has failed.
 */
static size_t take_file(struct host *host, const char *bytes, size_t n)
{
	const size_t size = n < host->left ? n : host->left;
	ssize_t written;

	for (size_t i = 0; i < size; i += written) {
		written = write(host->fd, bytes + i, size - i);
		if (written < 0 && errno == EINTR)
			written = 0;
		if (written < 0) {
			cannot_write(host);
			return n;
		}
	}
	host->left -= size;
	if (!host->left)
		finish_file(host);
	return size;
}

static void take_output(struct host *host, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		if (host->state == HOST_RECEIVING) {
			i += take_file(host, bytes + i, n - i);
			continue;
		}
		if (bytes[i] == '\n') {
			host->line[host->len] = '\0';
			host->len = 0;
			handle_message(host);
		} else if (host->len + 1 < sizeof(host->line)) {
			host->line[host->len++] = bytes[i];
		}
		i++;
	}
}

/* Take bytes of the host's error output, and print each complete line after the name of the host. */
static void take_text(struct host *host, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && bytes[i] != '\r' &&
		    host->text_len + 1 < sizeof(host->text)) {
			host->text[host->text_len++] = bytes[i];
			continue;
		}
		host->text[host->text_len] = '\0';
		if (host->text_len)
			host_say(host, "%s", host->text);
		host->text_len = 0;
		if (bytes[i] != '\n' && bytes[i] != '\r')
			host->text[host->text_len++] = bytes[i];
	}
}

/* Read an output stream of ssh until it has no more data for now, and pass the data to @take. */
static void read_stream(struct host *host, int *fd,
			void (*take)(struct host *host, const char *bytes, size_t n))
{
	static char bytes[1 << 16];
	ssize_t n;

	while (*fd >= 0) {
		n = read(*fd, bytes, sizeof(bytes));
		if (n > 0)
			take(host, bytes, n);
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n < 0 && errno == EAGAIN)
			return;
		else
			close_end(fd);
	}
}

void host_read(struct host *host)
{
	read_stream(host, &host->out, take_output);
	read_stream(host, &host->err, take_text);
}

bool host_is_over(struct host *host)
{
	if (host->pid && waitpid(host->pid, &host->status, WNOHANG) != host->pid)
		return false;
	if (!host->pid)
		return true;
	host->pid = 0;
	host_read(host);
	/*
	 * Do not read until the end of the streams: if ssh has left a master connection in the background,
	 * that process keeps them open.
	 */
	close_end(&host->in);
	close_end(&host->out);
	close_end(&host->err);
	if (host->text_len)
		take_text(host, "\n", 1);
	if (host->fd >= 0) {
		unlink(host->file);
		close_end(&host->fd);
	}
	if (host->state != HOST_DONE)
		host->state = HOST_FAILED;
	return true;
}

bool host_has_succeeded(const struct host *host)
{
	return host->state == HOST_DONE && WIFEXITED(host->status) && !WEXITSTATUS(host->status);
}

void host_free(struct host *host)
{
	free(host->label);
	free(host->file);
	free(host->remote);
}
