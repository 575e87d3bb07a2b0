// SPDX-License-Identifier: GPL-2.0
/*
 * files.c - read and write small files of tracefs, /proc and /sys. Read, reset and restore one tracing
 * setting, which is such a file. Define the values that a recording needs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "text.h"
#include "recorder/processes.h"

/*
 * A value of @dir that means that the name of the file is not relative to a directory. It is different from
 * all file descriptors, and from -1, which a failed open() returns.
 */
#define BY_PATH INT_MIN

static int open_file(const char *file, int flags)
{
	return *file == '/' ? open(file, flags | O_CLOEXEC) :
			      tracefs_instance_file_open(NULL, file, flags | O_CLOEXEC);
}

/* Read a file, and do not try again after an error. Returns the content, or NULL with errno. */
static char *read_once(const char *file)
{
	const int fd = open_file(file, O_RDONLY);
	size_t size = 0, room = 0;
	char *text = NULL;
	ssize_t n;
	int error;

	if (fd < 0)
		return NULL;
	do {
		if (size + 1 >= room) {
			room = room ? 2 * room : 4096;
			text = xrealloc(text, room);
		}
		n = read(fd, text + size, room - size - 1);
		if (n > 0)
			size += n;
	} while (n > 0);
	error = errno;
	close(fd);
	if (n < 0) {
		free(text);
		errno = error;
		return NULL;
	}
	while (size && strchr(" \t\n", text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

char *file_read(const char *file)
{
	char *text;

	for (int i = 1; !(text = read_once(file)) && errno == ENOMEM && i < FILE_TRIES; i++)
		usleep(FILE_TRY_MSEC * 1000);
	return text;
}

/*
 * Write @text to a file and close the file. Several calls of write() may be necessary: a tracefs file with a
 * list of functions accepts one function per call. Returns 0 or a negative errno.
 */
static int write_to(int fd, const char *text)
{
	ssize_t n = 1;
	int ret = 0;

	if (fd < 0)
		return -errno;
	for (; *text && n > 0; text += n) {
		n = write(fd, text, strlen(text));
		if (n < 0) {
			ret = -errno;
			break;
		}
	}
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/*
 * Open and write a file. @dir is the directory of a relative path, or BY_PATH. Returns 0 or a negative errno.
 */
static int write_with(int dir, const char *file, const char *text, int flags)
{
	int fd, ret;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		fd = dir == BY_PATH ? open_file(file, O_WRONLY | flags) :
				      openat(dir, file, O_WRONLY | O_CLOEXEC | flags);
		ret = write_to(fd, text);
		if (ret != -ENOMEM)
			break;
	}
	return ret;
}

int file_write(const char *file, const char *text)
{
	return write_with(BY_PATH, file, text, O_TRUNC);
}

int file_append(const char *file, const char *text)
{
	return write_with(BY_PATH, file, text, 0);
}

int file_write_at(int dir, const char *file, const char *text)
{
	return write_with(dir, file, text, O_TRUNC);
}

/*
 * The options that a recording needs. All other options change only how the text of "trace" and "trace_pipe"
 * looks. If the user sets one of these options by -O, trace-cmd applies the user's value later.
 */
const struct recording_option recording_options[] = {
	/*
	 * Overwrite the oldest entries when the buffer is full. With 0, the newest entries would be dropped,
	 * and the trace would not say where they are missing.
	 */
	{ "overwrite", "1" },
	/* Record the names of tasks, for the output of trace-cmd. */
	{ "record-cmd", "1" },
	/* Allow writing to trace_marker. The texts of nftables rules are written there. */
	{ "markers", "1" },
	/* Continue recording while another process reads the file "trace". */
	{ "pause-on-trace", "0" },
	{ "disable_on_free", "0" },
	/* Record no stack trace with each event. */
	{ "stacktrace", "0" },
	{ "userstacktrace", "0" },
	/*
	 * Let the duration of a call include the time in which the task sleeps, and the time of the functions
	 * that it calls.
	 */
	{ "sleep-time", "1" },
	{ "graph-time", "1" },
	/* Record entries of function_graph in the format that report-skb and KernelShark expect. */
	{ "funcgraph-args", "0" },
	{ "funcgraph-retval", "0" },
	{ "funcgraph-retaddr", "0" },
};
const size_t nr_recording_options = sizeof(recording_options) / sizeof(recording_options[0]);

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/*
 * Return the name of the trace clock to use. "local" costs less, but is wrong if the time stamp counters of
 * the CPUs differ. In that case, the kernel has chosen a clock source such as hpet or acpi_pm, and "global"
 * is used.
 */
static const char *choose_clock(void)
{
	static const char *const stable[] = { "tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
					      "xen", "arch_sys_counter" };
	char *source = file_read(CLOCKSOURCE);
	const char *clock = "global";

	for (size_t i = 0; source && i < sizeof(stable) / sizeof(stable[0]); i++)
		if (!strcmp(source, stable[i]))
			clock = "local";
	free(source);
	return clock;
}

const char *recording_clock(void)
{
	static const char *clock;

	if (!clock)
		clock = choose_clock();
	return clock;
}

char *setting_read(const struct setting *setting)
{
	char *text = file_read(setting->file);
	char *start, *end, *value;

	if (!text)
		return NULL;
	switch (setting->shape) {
	case CHOICE:
		start = strchr(text, '[');
		end = start ? strchr(start, ']') : NULL;
		if (!end)
			return text;
		value = xasprintf("%.*s", (int)(end - start - 1), start + 1);
		break;
	case BUFFER_SIZE:
		start = strstr(text, "expanded: ");
		if (!start)
			return text;
		/*
		 * Return the expanded size: the kernel expands a buffer at its first use, and cannot shrink
		 * it to the smaller size again.
		 */
		value = xasprintf("%lu", strtoul(start + strlen("expanded: "), NULL, 10));
		break;
	default:
		return text;
	}
	free(text);
	return value;
}

static bool has_line(const char *text, const char *line, size_t n)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strcspn(text, "\n") == n && !strncmp(text, line, n))
			return true;
	return false;
}

static bool is_line(const char *line)
{
	/* The kernel prints "#### all functions enabled ####", "no pid" or "no pids" for an empty list. */
	return *line && *line != '\n' && *line != '#' && strncmp(line, "no pid", 6);
}

static bool has_lines(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (is_line(text))
			return true;
	return false;
}

/*
 * Convert a line of a list to the form in which it can be written: remove the module and the count of a
 * function. The result is to be freed.
 */
static char *writable_line(const char *line, size_t n, enum setting_shape shape)
{
	char *text = xasprintf("%.*s", (int)n, line);
	char *tail;

	if (shape == FUNCTIONS) {
		text[strcspn(text, " \t")] = '\0';
		tail = strstr(text, ":unlimited");
		if (tail)
			*tail = '\0';
		tail = strstr(text, ":count=");
		if (tail)
			memmove(tail + 1, tail + 7, strlen(tail + 7) + 1);
	}
	return text;
}

/*
 * Remove function commands such as "schedule:traceoff" from a setting, because truncating the file does not
 * remove them.
 * @is: the current content of the file; @but: lines that are kept
 */
static void take_commands_away(const struct setting *setting, const char *is, const char *but)
{
	char *text, *negated;
	size_t n;

	if (setting->shape != FUNCTIONS)
		return;
	for (const char *line = is; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line) || !memchr(line, ':', n) || has_line(but, line, n))
			continue;
		text = writable_line(line, n, setting->shape);
		negated = xasprintf("!%s\n", text);
		file_append(setting->file, negated);
		free(negated);
		free(text);
	}
}

/*
 * Change the content of a list from @is to @was. If a process or function in @was does not exist any more,
 * set *@gone to true and leave it out. Returns 0 or a negative errno.
 */
static int write_list(const struct setting *setting, const char *was, const char *is, bool *gone)
{
	int ret, one;
	size_t n;
	char *text, *whole;

	take_commands_away(setting, is, was);
	ret = file_write(setting->file, "");
	for (const char *line = was; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line))
			continue;
		if (setting->shape == FUNCTIONS && memchr(line, ':', n) && has_line(is, line, n))
			continue;
		text = writable_line(line, n, setting->shape);
		/*
		 * End the line with a newline. Without a newline, the kernel parses the line only on close(),
		 * which reports no error.
		 */
		whole = xasprintf("%s\n", text);
		one = file_append(setting->file, whole);
		/*
		 * Do not fail if an entry has disappeared since the settings were saved, because a process
		 * has exited or a module was unloaded.
		 */
		if (one == -ESRCH || one == -EINVAL || one == -ENOENT)
			*gone = true;
		else if (one)
			ret = one;
		free(whole);
		free(text);
	}
	return ret;
}

/*
 * Return those lines of @text that are not function commands, to be freed. The counts in commands change, so
 * lists are compared without commands.
 */
static char *without_commands(const char *text)
{
	char *kept = xasprintf("%s\n", text), *end = kept;
	size_t n;

	for (const char *line = text; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line) || memchr(line, ':', n))
			continue;
		memcpy(end, line, n);
		end += n;
		*end++ = '\n';
	}
	*end = '\0';
	return kept;
}

static bool same_list(const struct setting *setting, const char *a, const char *b)
{
	char *of_a, *of_b;
	bool same;

	if (setting->shape != FUNCTIONS || !strchr(a, ':'))
		return !strcmp(a, b);
	of_a = without_commands(a);
	of_b = without_commands(b);
	same = !strcmp(of_a, of_b);
	free(of_a);
	free(of_b);
	return same;
}

int setting_restore_list(const struct setting *setting, const char *was)
{
	bool gone = false, done;
	int ret;
	char *is;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i > 1)
			usleep(FILE_TRY_MSEC * 1000);
		is = setting_read(setting);
		if (!is)
			return -errno;
		done = gone || (i ? same_list(setting, was, is) : !strcmp(was, is));
		ret = done ? 0 : write_list(setting, was, is, &gone);
		free(is);
		if (done || ret)
			return ret;
	}
	return -ENOMEM;
}

bool setting_is_list(const struct setting *setting)
{
	return setting->shape == LIST || setting->shape == FUNCTIONS;
}

static char *neutral_of(const struct setting *setting)
{
	char *possible, *mask;

	if (setting->shape == CHOICE)
		return xstrdup(recording_clock());
	if (setting->shape != CPU_MASK)
		return setting->neutral ? xasprintf("%s", setting->neutral) : NULL;
	possible = file_read("/sys/devices/system/cpu/possible");
	mask = possible ? cpu_list_mask(possible) : NULL;
	free(possible);
	return mask;
}

/*
 * Write @neutral, the value with which the setting hides no event. A list is written again until reading it
 * shows that it is empty; see FILE_TRIES. Returns 0 or a negative errno.
 */
static int write_neutral(const struct setting *setting, const char *was, const char *neutral)
{
	char *is = NULL;
	bool done;
	int ret;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		take_commands_away(setting, is ? is : was, "");
		free(is);
		ret = file_write(setting->file, neutral);
		if (ret || !setting_is_list(setting))
			return ret;
		is = setting_read(setting);
		if (!is)
			return -errno;
		done = !has_lines(is);
		if (done)
			break;
	}
	free(is);
	return done ? 0 : -ENOMEM;
}

/*
 * Return true if the value @was of a setting need not be reset. This includes a list without entries: its
 * file has only a line such as "no pid".
 */
static bool is_neutral(const struct setting *setting, const char *was, const char *neutral)
{
	if (setting->shape == AT_LEAST)
		return strtoul(was, NULL, 10) >= strtoul(neutral, NULL, 10);
	return !strcmp(was, neutral) || !has_lines(was);
}

int setting_make_neutral(const struct setting *setting, const char *was)
{
	char *neutral = neutral_of(setting);
	int ret = 0;

	if (neutral && !is_neutral(setting, was, neutral))
		ret = write_neutral(setting, was, neutral);
	free(neutral);
	return ret;
}

char *setting_lines(const char *text, enum setting_shape shape, bool commands)
{
	char *all = xstrdup(""), *line_text, *longer;
	size_t n;

	for (const char *line = text; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line) || (shape == FUNCTIONS && memchr(line, ':', n)) != commands)
			continue;
		line_text = writable_line(line, n, shape);
		longer = xasprintf("%s%s\n", all, line_text);
		free(line_text);
		free(all);
		all = longer;
	}
	return all;
}
