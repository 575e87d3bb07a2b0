// SPDX-License-Identifier: GPL-2.0
/*
 * captured.c - print for each frame of a capture file how many bytes were captured and how long the frame was
 */
#include <pcap/pcap.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char error[PCAP_ERRBUF_SIZE] = "usage: captured FILE";
	pcap_t *file = argc == 2 ? pcap_open_offline(argv[1], error) : NULL;
	struct pcap_pkthdr *header;
	const u_char *data;

	if (!file) {
		fprintf(stderr, "captured: %s\n", error);
		return 1;
	}
	while (pcap_next_ex(file, &header, &data) == 1)
		printf("%u %u\n", header->caplen, header->len);
	return 0;
}
