// SPDX-License-Identifier: GPL-2.0
/*
 * loop.c - loop PORT COUNT: send so many UDP packets to itself over lo, one by one, and print how long one
 * took on average, in nanoseconds. With --icount that is how many instructions.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* lo hands a packet over while it is being sent, so that nothing has to wait for it. */
static int pass(int s)
{
	char byte = 'x';

	return send(s, &byte, 1, 0) == 1 && recv(s, &byte, 1, 0) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int s = socket(AF_INET, SOCK_DGRAM, 0), count;
	uint64_t begin = 0;

	if (argc != 3 || (count = atoi(argv[2])) <= 0)
		return 2;
	a.sin_port = htons(atoi(argv[1]));
	if (s < 0 || bind(s, (void *)&a, sizeof(a)) || connect(s, (void *)&a, sizeof(a))) {
		perror("loop");
		return 1;
	}
	for (int i = -count / 10; i < count; i++) {
		if (!i)
			begin = now();
		if (pass(s)) {
			perror("loop");
			return 1;
		}
	}
	printf("%llu\n", (unsigned long long)(now() - begin) / count);
	return 0;
}
