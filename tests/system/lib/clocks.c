// SPDX-License-Identifier: GPL-2.0
/* clocks.c - the differences of the kernel clocks, as a witness, and the rate of CLOCK_MONOTONIC; see usage */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

static const char *const usage_text =
	"usage: clocks            print CLOCK_MONOTONIC, _RAW and CLOCK_TAI at one moment, in ns\n"
	"       clocks rate PPM   let CLOCK_MONOTONIC run faster; CLOCK_MONOTONIC_RAW keeps its rate\n";

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Read the clocks many times, and print the times that were read in the shortest time. */
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

int main(int argc, char **argv)
{
	struct timex timex = { .modes = ADJ_FREQUENCY };

	if (argc == 1) {
		print_clocks();
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
