// SPDX-License-Identifier: GPL-2.0
/*
 * test-processes.c - test limited_command_run(). The caller must not be delayed by a program that hangs,
 * writes endlessly or leaves children.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "recorder/processes.h"

#define LONG_MSEC  60000
#define SHORT_MSEC 300

struct seen {
	const char *stop_at;
	unsigned long lines;
	char last[128];
};

static bool take_line(char *line, void *data)
{
	struct seen *seen = data;

	seen->lines++;
	snprintf(seen->last, sizeof(seen->last), "%s", line);
	return seen->stop_at && !strcmp(line, seen->stop_at);
}

static enum command_end run(const char *script, int msec, struct seen *seen)
{
	char *const argv[] = { "sh", "-c", (char *)script, NULL };

	return limited_command_run(argv, msec, take_line, seen);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void test_lines(void **state)
{
	struct seen seen = {};

	(void)state;
	assert_int_equal(run("echo one; echo; printf last", LONG_MSEC, &seen), COMMAND_ENDED);
	assert_int_equal(seen.lines, 3);
	assert_string_equal(seen.last, "last");
}

static void test_enough(void **state)
{
	struct seen seen = { .stop_at = "2" };
	const double begin = seconds();

	(void)state;
	assert_int_equal(run("echo 1; echo 2; echo 3; sleep 60", LONG_MSEC, &seen), COMMAND_ENDED);
	assert_int_equal(seen.lines, 2);
	assert_true(seconds() - begin < 30);
}

static void test_hangs(void **state)
{
	struct seen seen = {};
	const double begin = seconds();

	(void)state;
	assert_int_equal(run("trap '' TERM INT HUP; echo 1; sleep 60", SHORT_MSEC, &seen),
			 COMMAND_LIMITED);
	assert_string_equal(seen.last, "1");
	assert_true(seconds() - begin < 30);
}

static void test_prints_for_ever(void **state)
{
	struct seen lines = {}, line = {};
	const double begin = seconds();

	(void)state;
	assert_int_equal(run("exec yes", LONG_MSEC, &lines), COMMAND_LIMITED);
	assert_true(lines.lines > 1000);
	assert_int_equal(run("exec cat /dev/zero", LONG_MSEC, &line), COMMAND_LIMITED);
	assert_int_equal(line.lines, 0);
	assert_true(seconds() - begin < 30);
}

/*
 * A child of the program does not exit, and keeps the pipe open. So limited_command_run() must kill the
 * child, too.
 */
static void test_children(void **state)
{
	struct seen seen = {};

	(void)state;
	assert_int_equal(run("sleep 60 & echo $!; sleep 60", SHORT_MSEC, &seen), COMMAND_LIMITED);
	assert_true(atoi(seen.last) > 1);
	for (int i = 0; i < 100 && !kill(atoi(seen.last), 0); i++) {
		char *path, state_of = 0;
		FILE *in;

		/* A zombie, which its parent has not reaped, must count as ended. */
		assert_true(asprintf(&path, "/proc/%s/stat", seen.last) > 0);
		in = fopen(path, "re");
		free(path);
		if (in && fscanf(in, "%*d %*s %c", &state_of) != 1)
			state_of = 0;
		if (in)
			fclose(in);
		if (state_of == 'Z')
			return;
		usleep(50000);
	}
	assert_int_equal(kill(atoi(seen.last), 0), -1);
}

static void test_none(void **state)
{
	char *const argv[] = { "/nonexistent/program", NULL };
	struct seen seen = {};

	(void)state;
	assert_int_equal(limited_command_run(argv, LONG_MSEC, take_line, &seen), COMMAND_FAILED);
	assert_int_equal(seen.lines, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	 cmocka_unit_test(test_enough),
		cmocka_unit_test(test_hangs),	 cmocka_unit_test(test_prints_for_ever),
		cmocka_unit_test(test_children), cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
