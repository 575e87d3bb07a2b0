// SPDX-License-Identifier: GPL-2.0
/*
 * clocks.c - print the kernel's clocks, so that a test can compare them with a recording, or change the rate
 * of CLOCK_MONOTONIC; see usage_text
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <time.h>

static const char *const usage_text =
	"usage: clocks            print CLOCK_MONOTONIC, _RAW and CLOCK_TAI at one moment, in ns\n"
	"       clocks rate PPM   let CLOCK_MONOTONIC run faster; CLOCK_MONOTONIC_RAW keeps its rate\n"
	"       clocks answer FILE  answer another guest's questions, in the first page of FILE\n"
	"       clocks ask FILE   print the own CLOCK_MONOTONIC, the three clocks of the other guest, and the\n"
	"                         greatest possible error, in ns\n";

/* A page of memory that two guests share. Through it, one guest asks the other one for its clocks. */
struct page {
	volatile uint64_t question, answer;
	volatile long long mono, raw, tai;
};

#define END_QUESTION  1
#define NR_QUESTIONS  3000
#define PATIENCE_NSEC 5000000	     /* wait at most this long for one answer */
#define LIMIT_NSEC    120000000000ll /* time limit for all answers */

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Read all clocks many times. Print the values of the fastest round. */
static void print_clocks(void)
{
	long long took, shortest = 1ll << 62, mono = 0, raw = 0, tai = 0;

	for (int i = 0; i < 1000; i++) {
		const long long before = now(CLOCK_MONOTONIC), r = now(CLOCK_MONOTONIC_RAW),
				t = now(CLOCK_TAI);

		took = now(CLOCK_MONOTONIC) - before;
		if (took >= shortest)
			continue;
		shortest = took;
		mono = before + took / 2;
		raw = r;
		tai = t;
	}
	printf("%lld %lld %lld %lld\n", mono, raw, tai, shortest);
}

static struct page *map(const char *path)
{
	const int fd = open(path, O_RDWR);
	void *page = fd < 0 ? MAP_FAILED :
			      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	return page;
}

static void answer(struct page *page)
{
	const long long end = now(CLOCK_MONOTONIC) + LIMIT_NSEC;
	uint64_t question, last = page->question;

	while (now(CLOCK_MONOTONIC) < end) {
		question = page->question;
		if (question == last)
			continue;
		last = question;
		if (question == END_QUESTION) {
			page->answer = question;
			return;
		}
		page->mono = now(CLOCK_MONOTONIC);
		page->raw = now(CLOCK_MONOTONIC_RAW);
		page->tai = now(CLOCK_TAI);
		__sync_synchronize();
		page->answer = question;
	}
	fputs("clocks: no question\n", stderr);
	exit(1);
}

/* Return: true if the answer came in time. */
static int ask_once(struct page *page, uint64_t question)
{
	const long long end = now(CLOCK_MONOTONIC) + PATIENCE_NSEC;

	page->question = question;
	while (page->answer != question) {
		if (now(CLOCK_MONOTONIC) > end)
			return 0;
	}
	return 1;
}

/* Ask the other guest many times. Print the fastest answer. */
static void ask(struct page *page)
{
	const long long end = now(CLOCK_MONOTONIC) + LIMIT_NSEC;
	long long before, took, shortest = 1ll << 62, mono = 0, raw = 0, tai = 0, own = 0;

	for (int n = 0; n < NR_QUESTIONS;) {
		before = now(CLOCK_MONOTONIC);
		if (before > end) {
			fputs("clocks: no answer\n", stderr);
			exit(1);
		}
		if (!ask_once(page, before))
			continue;
		n++;
		took = now(CLOCK_MONOTONIC) - before;
		if (took >= shortest)
			continue;
		shortest = took;
		own = before + took / 2;
		mono = page->mono;
		raw = page->raw;
		tai = page->tai;
	}
	while (!ask_once(page, END_QUESTION) && now(CLOCK_MONOTONIC) < end)
		page->question = 0;
	printf("%lld %lld %lld %lld %lld\n", own, mono, raw, tai, shortest / 2 + 1);
}

int main(int argc, char **argv)
{
	struct timex timex = { .modes = ADJ_FREQUENCY };

	if (argc == 1) {
		print_clocks();
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "answer")) {
		answer(map(argv[2]));
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "ask")) {
		ask(map(argv[2]));
		return 0;
	}
	if (argc != 3 || strcmp(argv[1], "rate")) {
		fputs(usage_text, stderr);
		return 2;
	}
	timex.freq = atol(argv[2]) * 65536;
	if (adjtimex(&timex) < 0) {
		perror("clocks: adjtimex");
		return 1;
	}
	return 0;
}
