// SPDX-License-Identifier: GPL-2.0
/* live_test.c - test input and output of --live: pages of the ring buffer, and printed lines */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "input/live_rows.h"
#include "output/nonblocking_stdout.h"

#define FILE_NAME     "trace.dat"
#define MISSED_EVENTS (1ull << 31)
#define ROUNDS_BEHIND 2

/*
 * A page of the ring buffer as the kernel writes it: the time of the page, its length, and its events. Each
 * event has one word of data.
 */
struct page {
	uint64_t ts;
	uint64_t commit;
	struct {
		/*
		 * the lower bits are the number of data words, the upper bits the time since the previous
		 * event
		 */
		uint32_t header;
		uint32_t data;
	} events[];
};

static unsigned char bytes[1 << 16];
static size_t page_size;
static struct live_input *input;

static struct page *page_of(const uint32_t *times, unsigned int n, uint64_t flags)
{
	struct page *page = (struct page *)bytes;

	memset(bytes, 0, sizeof(bytes));
	page->ts = times[0];
	page->commit = n * sizeof(page->events[0]) | flags;
	for (unsigned int i = 0; i < n; i++) {
		page->events[i].header = 1 | (times[i] - times[i ? i - 1 : 0]) << 5;
		page->events[i].data = times[i];
	}
	return page;
}

static void append(int cpu, const void *data, size_t n)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), FILE_NAME ".cpu%d", cpu);
	fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

#define written(cpu, flags, ...)                                                             \
	append(cpu,                                                                          \
	       page_of((const uint32_t[]){ __VA_ARGS__ },                                    \
		       sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), flags), \
	       page_size)

/*
 * Return: the times of all rows that --live reads in one round, such as "TIME TIME". If rows were lost
 * before a row, its time begins with "!".
 */
static const char *round_of(bool all)
{
	static char text[1024];
	const struct tep_record *row;
	size_t n = 0;

	live_input_read(input, all);
	text[0] = '\0';
	while ((row = live_input_next(input))) {
		uint32_t data;

		assert_int_equal(row->size, sizeof(data));
		memcpy(&data, row->data, sizeof(data));
		assert_int_equal(data, row->ts);
		n += snprintf(text + n, sizeof(text) - n, "%s%s%u", n ? " " : "",
			      row->missed_events ? "!" : "", data);
	}
	return text;
}

static int set_up(void **state)
{
	struct err err;

	(void)state;
	page_size = sysconf(_SC_PAGESIZE);
	unlink(FILE_NAME ".cpu0");
	unlink(FILE_NAME ".cpu1");
	append(0, "", 0);
	append(1, "", 0);
	input = live_input_open(".", FILE_NAME, &err);
	return input ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	live_input_close(input);
	return 0;
}

static void rows_of_all_cpus_come_in_order(void **state)
{
	(void)state;
	written(0, 0, 100, 300);
	written(1, 0, 200, 400);
	for (int i = 0; i < ROUNDS_BEHIND; i++)
		assert_string_equal(round_of(false), "");
	assert_string_equal(round_of(false), "100 200 300 400");
	assert_string_equal(round_of(false), "");
}

static void a_cpu_is_waited_for(void **state)
{
	(void)state;
	written(0, 0, 100, 300);
	assert_string_equal(round_of(false), "");
	written(1, 0, 200);
	assert_string_equal(round_of(false), "");
	assert_string_equal(round_of(false), "100 200 300");
}

static void at_the_end_nobody_is(void **state)
{
	(void)state;
	written(0, 0, 100, 300);
	written(1, 0, 200);
	assert_string_equal(round_of(true), "100 200 300");
}

static void what_comes_too_late_is_lost(void **state)
{
	(void)state;
	written(0, 0, 100, 300);
	for (int i = 0; i < ROUNDS_BEHIND; i++)
		round_of(false);
	assert_string_equal(round_of(false), "100 300");
	written(1, 0, 200, 250, 350, 400);
	assert_string_equal(round_of(true), "!350 400");
}

static void what_comes_too_late_alone_is_said_later(void **state)
{
	(void)state;
	written(0, 0, 100, 300);
	for (int i = 0; i < ROUNDS_BEHIND; i++)
		round_of(false);
	round_of(false);
	written(1, 0, 200);
	written(1, 0, 500);
	assert_string_equal(round_of(true), "!500");
}

static void the_kernels_losses_are_said(void **state)
{
	(void)state;
	written(0, 0, 100);
	written(0, MISSED_EVENTS, 200, 300);
	assert_string_equal(round_of(true), "100 !200 300");
}

static void half_a_page_is_not_there_yet(void **state)
{
	const uint32_t times[] = { 100, 200 };

	(void)state;
	append(0, page_of(times, 2, 0), page_size / 2);
	for (int i = 0; i <= ROUNDS_BEHIND; i++)
		assert_string_equal(round_of(false), "");
	append(0, (const char *)page_of(times, 2, 0) + page_size / 2, page_size / 2);
	assert_string_equal(round_of(true), "100 200");
}

/*
 * --live has limited memory, so it reads a long per-CPU file in several steps. Before it has read the rest
 * of this file, it must not pass on later rows of other CPUs.
 */
static void a_long_part_is_read_bit_by_bit(void **state)
{
	enum { PAGES = 3000 };
	uint32_t last = 0, n = 0;
	const struct tep_record *row;
	bool more = true;

	(void)state;
	for (uint32_t i = 1; i <= PAGES; i++)
		written(0, 0, i * 10);
	written(1, 0, PAGES * 10 + 5);
	for (int rounds = 0; more; rounds++) {
		assert_true(rounds < 10);
		more = live_input_read(input, true);
		while ((row = live_input_next(input))) {
			assert_true(row->ts > last);
			assert_int_equal(row->missed_events, 0);
			last = row->ts;
			n++;
		}
	}
	assert_int_equal(n, PAGES + 1);
	assert_int_equal(last, PAGES * 10 + 5);
}

static void lines_that_nobody_takes_are_counted(void **state)
{
	enum { LINES = 20000, LENGTH = 100 };
	int out = dup(STDOUT_FILENO), pipes[2];
	struct nonblocking_stdout *lines;
	uint64_t left_out, taken = 0;
	static char buffer[1 << 20];
	struct err err;
	ssize_t n;

	(void)state;
	fflush(stdout);
	assert_int_equal(pipe(pipes), 0);
	dup2(pipes[1], STDOUT_FILENO);
	close(pipes[1]);
	lines = nonblocking_stdout_open(&err);
	for (int i = 0; lines && i < LINES; i++) {
		printf("%0*d\n", LENGTH - 1, i);
		nonblocking_stdout_write(lines);
	}
	nonblocking_stdout_finish(lines);
	left_out = nonblocking_stdout_left_out(lines);
	nonblocking_stdout_close(lines);
	dup2(out, STDOUT_FILENO);
	close(out);
	while ((n = read(pipes[0], buffer, sizeof(buffer))) > 0)
		for (ssize_t i = 0; i < n; i++)
			taken += buffer[i] == '\n';
	close(pipes[0]);
	assert_true(left_out > 0 && taken > 0);
	assert_int_equal(left_out + taken, LINES);
}

static void a_reader_that_is_gone_is_known(void **state)
{
	int out = dup(STDOUT_FILENO), pipes[2];
	struct nonblocking_stdout *lines;
	bool before, after;
	struct err err;

	(void)state;
	fflush(stdout);
	assert_int_equal(pipe(pipes), 0);
	dup2(pipes[1], STDOUT_FILENO);
	close(pipes[1]);
	lines = nonblocking_stdout_open(&err);
	nonblocking_stdout_write(lines);
	before = nonblocking_stdout_is_closed(lines);
	close(pipes[0]);
	/* Standard output is closed now, so this call must not print anything. */
	nonblocking_stdout_write(lines);
	after = nonblocking_stdout_is_closed(lines);
	nonblocking_stdout_close(lines);
	dup2(out, STDOUT_FILENO);
	close(out);
	assert_false(before);
	assert_true(after);
}

#define input_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		input_test(rows_of_all_cpus_come_in_order),
		input_test(a_cpu_is_waited_for),
		input_test(at_the_end_nobody_is),
		input_test(what_comes_too_late_is_lost),
		input_test(what_comes_too_late_alone_is_said_later),
		input_test(the_kernels_losses_are_said),
		input_test(half_a_page_is_not_there_yet),
		input_test(a_long_part_is_read_bit_by_bit),
		cmocka_unit_test(lines_that_nobody_takes_are_counted),
		cmocka_unit_test(a_reader_that_is_gone_is_known),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
