// SPDX-License-Identifier: GPL-2.0
/*
 * sockmap.c - send data to a socket with a BPF program that redirects the data to another socket (sockmap);
 * see usage_text
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf_insn.h"

static const char *const usage_text =
	"usage: sockmap msg|drop|skb\n"
	"Makes two TCP connections over the loopback device, to ports 9001 and 9002, and prints the id of the program.\n"
	"For a line of standard input, writes five messages to the first connection, and prints how they arrived.\n"
	"msg: the program redirects the written data to the receive queue of the other end. No packet is made.\n"
	"drop: the program drops the written data, so the calls fail.\n"
	"skb: the program redirects what arrives at port 9001 to the second connection.\n";

#define MESSAGES 5
#define LENGTH	 100

static void die(const char *what)
{
	fprintf(stderr, "sockmap: %s: %s\n", what, strerror(errno));
	exit(1);
}

/*
 * Make a connection to a port of this process. @ends[0] gets the connecting socket, and @ends[1] the accepted
 * one.
 */
static void make_connection(int port, int ends[2])
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (const struct sockaddr *)&address, sizeof(address)) ||
	    listen(listener, 1) ||
	    connect(ends[0], (const struct sockaddr *)&address, sizeof(address)))
		die("connect");
	ends[1] = accept(listener, NULL, NULL);
	if (ends[1] < 0)
		die("accept");
	close(listener);
}

static int make_types(const char *context, int *fd)
{
	struct btf *btf = btf__new_empty();
	const int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	const int structure = btf__add_struct(btf, context, 4);
	/*
	 * Each btf__add_func_param() adds to the newest type. So add the pointer type before the prototype.
	 */
	int pointer, proto, function;

	btf__add_field(btf, "data", integer, 0, 0);
	pointer = btf__add_ptr(btf, structure);
	proto = btf__add_func_proto(btf, integer);
	btf__add_func_param(btf, "ctx", pointer);
	function = btf__add_func(btf, "redirects", BTF_FUNC_GLOBAL, proto);
	if (btf__load_into_kernel(btf))
		die("BTF");
	*fd = btf__fd(btf);
	return function;
}

/* Load the program, and attach it to the map. Return: the file descriptor of the program. */
static int attach(int map, int is_skb, int drops)
{
	const struct bpf_insn redirect[] = {
		SET_MAP(2, map),
		SET(3, 1),
		SET(4, is_skb ? 0 : BPF_F_INGRESS),
		CALL(is_skb ? BPF_FUNC_sk_redirect_map : BPF_FUNC_msg_redirect_map),
		EXIT(),
	};
	const struct bpf_insn drop[] = { SET(0, SK_DROP), EXIT() };
	int types;
	const struct bpf_func_info function = {
		.type_id = make_types(is_skb ? "__sk_buff" : "sk_msg_md", &types),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_btf_fd = types, .func_info = &function,
		    .func_info_cnt = 1, .func_info_rec_size = sizeof(function));
	const int program =
		drops ? bpf_prog_load(BPF_PROG_TYPE_SK_MSG, "redirects", "GPL", drop,
				      sizeof(drop) / sizeof(*drop), &opts) :
			bpf_prog_load(is_skb ? BPF_PROG_TYPE_SK_SKB : BPF_PROG_TYPE_SK_MSG,
				      "redirects", "GPL", redirect,
				      sizeof(redirect) / sizeof(*redirect), &opts);

	if (program < 0 ||
	    bpf_prog_attach(program, map, is_skb ? BPF_SK_SKB_STREAM_VERDICT : BPF_SK_MSG_VERDICT,
			    0))
		die("program");
	return program;
}

int main(int argc, char **argv)
{
	struct bpf_prog_info info = {};
	uint32_t size = sizeof(info);
	int first[2], second[2], map, program, is_skb, refused = 0;
	uint32_t keys[] = { 0, 1 };
	char data[MESSAGES * LENGTH] = "";
	ssize_t got, came = 0;

	if (argc != 2) {
		fputs(usage_text, stderr);
		return 2;
	}
	is_skb = !strcmp(argv[1], "skb");
	make_connection(9001, first);
	make_connection(9002, second);
	map = bpf_map_create(BPF_MAP_TYPE_SOCKMAP, "sockets", sizeof(uint32_t), sizeof(uint32_t), 4,
			     NULL);
	program = attach(map, is_skb, !strcmp(argv[1], "drop"));
	/*
	 * The map has two sockets. The program runs for data of the first one, and redirects to the second
	 * one.
	 */
	if (bpf_map_update_elem(map, &keys[0], &first[is_skb], BPF_ANY) ||
	    bpf_map_update_elem(map, &keys[1], is_skb ? &second[0] : &first[1], BPF_ANY))
		die("map");
	if (bpf_obj_get_info_by_fd(program, &info, &size))
		die("info");
	printf("%u\n", info.id);
	fflush(stdout);
	if (getchar() == EOF)
		return 1;
	for (int i = 0; i < MESSAGES; i++)
		refused += write(first[0], data, LENGTH) < 0;
	while (came < (MESSAGES - refused) * LENGTH) {
		got = read(is_skb ? second[1] : first[1], data, sizeof(data));
		if (got <= 0)
			die("read");
		came += got;
	}
	printf("%zd bytes came, %d calls failed\n", came, refused);
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
