// SPDX-License-Identifier: GPL-2.0
/*
 * short-address.c - make calls with addresses that are too short, each after a call with a complete address
 *
 * The kernel copies only the given number of bytes to its stack. The bytes behind them on the stack may still
 * contain the address of the previous call.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

/*
 * Make the call twice. The first time, pass the complete address of @host. The second time, pass the address
 * of @other, but only up to its port.
 */
static void both(const char *host, const char *other,
		 ssize_t call(int, struct sockaddr_in *, socklen_t))
{
	const int s[] = { socket(AF_INET, SOCK_DGRAM, 0), socket(AF_INET, SOCK_DGRAM, 0) };
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7777) };

	inet_pton(AF_INET, host, &a.sin_addr);
	call(s[0], &a, sizeof(a));
	inet_pton(AF_INET, other, &a.sin_addr);
	printf("%s\n", call(s[1], &a, 4) < 0 ? "refused" : "taken");
}

static ssize_t connects(int s, struct sockaddr_in *a, socklen_t len)
{
	return connect(s, (struct sockaddr *)a, len);
}

static ssize_t sends(int s, struct sockaddr_in *a, socklen_t len)
{
	return sendto(s, "", 1, 0, (struct sockaddr *)a, len);
}

int main(void)
{
	both("10.9.0.2", "10.9.0.77", connects);
	both("10.9.0.3", "10.9.0.77", sends);
	return 0;
}
