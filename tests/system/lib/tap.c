// SPDX-License-Identifier: GPL-2.0
/*
 * tap.c - a network device that gets its frames from this program: numbered UDP packets for "traffic
 * collect". Each packet comes in two pieces, which the kernel merges with napi_gro_frags(). See usage_text.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *const usage_text =
	"usage: tap DEVICE SOURCE ADDRESS PORT COUNT\n"
	"Make DEVICE. For each line of standard input, COUNT packets from SOURCE to ADDRESS arrive on it.\n";

#define PAYLOAD	   600
#define END_NUMBER UINT32_MAX
#define NR_ENDS	   5

struct headers {
	unsigned char to[6], from[6];
	uint16_t type;
	struct iphdr ip;
	struct udphdr udp;
} __attribute__((packed));

static void die(const char *what)
{
	fprintf(stderr, "tap: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int make(const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_NAPI | IFF_NAPI_FRAGS };
	int fd = open("/dev/net/tun", O_RDWR);

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr))
		die(name);
	return fd;
}

static void address_of(const char *name, unsigned char *mac)
{
	struct ifreq ifr = { 0 };
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	if (s < 0 || ioctl(s, SIOCGIFHWADDR, &ifr))
		die(name);
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
	close(s);
}

static uint16_t sum_of(const void *ip)
{
	const uint16_t *word = ip;
	uint32_t sum = 0;

	for (size_t i = 0; i < sizeof(struct iphdr) / sizeof(*word); i++)
		sum += word[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/* Fill a packet in the same way as traffic/udp.c, because "traffic collect" checks its bytes. */
static size_t fill(unsigned char *data, uint32_t n)
{
	uint32_t order = htonl(n);

	memcpy(data, &order, sizeof(order));
	if (n == END_NUMBER)
		return sizeof(order);
	for (size_t i = sizeof(n); i < PAYLOAD; i++)
		data[i] = ((uint64_t)(n + i) * 0x9e3779b97f4a7c15) >> 56;
	return PAYLOAD;
}

static void send_one(int fd, struct headers *h, uint32_t n)
{
	unsigned char data[PAYLOAD];
	size_t size = fill(data, n);
	struct iovec parts[] = {
		{ h, sizeof(*h) },
		{ data, size },
	};

	h->ip.tot_len = htons(sizeof(h->ip) + sizeof(h->udp) + size);
	h->udp.len = htons(sizeof(h->udp) + size);
	h->ip.check = 0;
	h->ip.check = sum_of(&h->ip);
	if (writev(fd, parts, 2) < 0)
		die("writev");
}

int main(int argc, char **argv)
{
	struct headers h = {
		.from = { 2, 0, 0, 0, 0, 0x17 },
		.type = htons(0x0800),
		.ip = { .version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP },
		.udp = { .source = htons(1717) },
	};
	uint32_t count;
	int fd;

	if (argc != 6) {
		fputs(usage_text, stderr);
		return 2;
	}
	fd = make(argv[1]);
	address_of(argv[1], h.to);
	h.ip.saddr = inet_addr(argv[2]);
	h.ip.daddr = inet_addr(argv[3]);
	h.udp.dest = htons(atoi(argv[4]));
	count = atoi(argv[5]);
	while (getchar() == '\n') {
		for (uint32_t i = 0; i < count + NR_ENDS; i++)
			send_one(fd, &h, i < count ? i : END_NUMBER);
	}
	return 0;
}
