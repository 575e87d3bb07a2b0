// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include <tracefs.h>

#include "invented.h"
#include "tracefs/instances.h"
#include "text.h"
#include "tracefs/tracer_users.h"

struct invented invented;

/*
 * Stand-in for the real function. tracer_users.c never calls it here, because the invented kernel has no
 * tracing instances.
 */
bool instance_is_shared(const char *name)
{
	(void)name;
	return false;
}

static struct btf *base, *module;

static int add_func(struct btf *btf, const char *name, int ret, int n, const int *args)
{
	char arg[16];
	int proto = btf__add_func_proto(btf, ret);

	assert_true(proto > 0);
	for (int i = 0; i < n; i++) {
		snprintf(arg, sizeof(arg), "a%d", i);
		assert_int_equal(btf__add_func_param(btf, args[i] ? arg : NULL, args[i]), 0);
	}
	assert_true(btf__add_func(btf, name, BTF_FUNC_STATIC, proto) > 0);
	return proto;
}

#define FUNC(name, ret, ...)                                                    \
	add_func(base, name, ret, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), \
		 (int[]){ __VA_ARGS__ })

/* Add a structure and a pointer to it. Return: the id of the pointer. */
static int add_struct_ptr(struct btf *btf, const char *name, int size)
{
	int type = btf__add_struct(btf, name, size);

	assert_true(type > 0);
	return btf__add_ptr(btf, type);
}

static void add_types(void)
{
	const int i32 = btf__add_int(base, "int", 4, BTF_INT_SIGNED);
	const int i128 = btf__add_int(base, "__int128", 16, BTF_INT_SIGNED);
	const int skb_struct = btf__add_struct(base, "sk_buff", 232);
	const int skb = btf__add_ptr(base, skb_struct);
	const int skb_t = btf__add_typedef(base, "skb_t",
					   btf__add_ptr(base, btf__add_const(base, skb_struct)));
	const int skb_ptr = btf__add_ptr(base, skb);
	const int fwd = btf__add_ptr(base, btf__add_fwd(base, "sk_buff", BTF_FWD_STRUCT));
	const int sock = add_struct_ptr(base, "sock", 760);
	const int socket = add_struct_ptr(base, "socket", 128);
	const int list = add_struct_ptr(base, "list_head", 16);
	const int msghdr = add_struct_ptr(base, "msghdr", 96);
	const int sockaddr = add_struct_ptr(base, "sockaddr_unsized", 16);
	const int dev = add_struct_ptr(base, "net_device", 2304);
	const int file = add_struct_ptr(base, "file", 232);
	const int pair = btf__add_struct(base, "pair", 16);
	const int small = btf__add_struct(base, "small", 8);
	const int tx_enum = btf__add_enum(base, "netdev_tx", 4);
	const int tx = btf__add_typedef(base, "netdev_tx_t", tx_enum);
	int proto;

	FUNC("one_skb", 0, skb);
	FUNC("const_skb", i32, i32, skb_t);
	FUNC("declared_skb", i32, fwd);
	FUNC("sock_and_skb", i32, sock, skb);
	FUNC("a_sock", i32, i32, sock);
	FUNC("a_socket", i32, socket, sockaddr);
	FUNC("only_skb_ptr", i32, skb_ptr);
	FUNC("no_net", i32, file);
	FUNC("six", i32, skb, i32, i32, i32, i32, i32);
	FUNC("seven", i32, skb, i32, i32, i32, i32, i32, i32);
	FUNC("by_value", i32, pair, skb);
	FUNC("small_by_value", i32, small, skb);
	FUNC("wide", i32, i128, skb);
	FUNC("printf_like", i32, skb, 0);
	FUNC("returns_pair", pair, skb);
	FUNC("returns_small", small, skb);
	FUNC("sends", i32, sock, msghdr);
	FUNC("connects", i32, sock, sockaddr);
	FUNC("list_rcv", 0, list);
	FUNC("fd_call", i32, i32);
	FUNC("some_xmit", tx, skb, dev);
	FUNC("ip_rcv", i32, skb);
	FUNC("udp_rcv", i32, file);
	FUNC("kfree_skbmem", 0, skb);
	FUNC("held_skb", 0, skb);
	FUNC("other_name", 0, skb);
	FUNC("twice", i32, skb);
	FUNC("twice", i32, sock);
	proto = FUNC("same_twice", i32, skb);
	assert_true(btf__add_func(base, "same_twice", BTF_FUNC_STATIC, proto) > 0);
	FUNC("split", i32, skb);

	module = btf__new_empty_split(base);
	assert_false(libbpf_get_error(module));
	add_func(module, "mod_rcv", i32, 1, &skb);
	add_func(module, "mod_open", i32, 1, &file);
	/* Add a function to the module that has the same name as a function of the kernel. */
	add_func(module, "one_skb", i32, 1, &file);
}

static void write_types(const char *name, const struct btf *btf)
{
	char *path = xasprintf("%s/%s", invented.types, name);
	const void *data;
	__u32 size;
	FILE *file;

	data = btf__raw_data(btf, &size);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	free(path);
}

void invented_write(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", invented.dir, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	free(path);
}

static void kernel_begin(struct kernel *kernel)
{
	struct err err;

	assert_int_equal(tracefs_set_tracing_dir(invented.dir), 0);
	kernel->types = btf_open(invented.types);
	assert_non_null(kernel->types);
	assert_int_equal(functions_read(&kernel->functions, &err), 0);
	ipmodify_users_read(&kernel->redirected);
}

int invent(void **state)
{
	char template[] = "/tmp/record-skb-unit.XXXXXX";

	(void)state;
	invented.dir = xstrdup(mkdtemp(template));
	invented.types = xasprintf("%s/btf", invented.dir);
	assert_int_equal(mkdir(invented.types, 0700), 0);
	base = btf__new_empty();
	assert_false(libbpf_get_error(base));
	add_types();
	write_types("vmlinux", base);
	write_types("mod", module);
	btf__free(module);
	btf__free(base);
	invented_write(
		"available_filter_functions",
		"one_skb\nconst_skb\n__ftrace_invalid_address___64\nsock_and_skb\na_sock\na_socket\n"
		"only_skb_ptr\nno_net\nseven\nsome_xmit\nip_rcv\nkfree_skbmem\nheld_skb\ntwice\n"
		"not_in_btf\nshaped.isra.0\nsplit.part.0\ntwo_of_it\ntwo_of_it\nnet_rx_action\n"
		"__traceiter_one\none_xmit_more\nmod_rcv [mod]\nmod_open [mod]\n"
		"dark_rcv [dark]\ndark_xmit [dark]\n");
	invented_write(
		"enabled_functions",
		"one_skb (1) R    \ttramp: 0xffffffffc0000000 (ftrace_regs_caller+0x0/0x1) ->x+0x0/0x1\n"
		"held_skb (2) R I  \ttramp: 0xffffffffc0000000 (y+0x0/0x60) ->ops\n"
		"\tdirect-->bpf_trampoline_1 (1) R I\n"
		"mod_rcv [mod] (1)   I  D  M \t\n");
	kernel_begin(&invented.kernel);
	return 0;
}

int forget(void **state)
{
	char *command = xasprintf("rm -r '%s'", invented.dir);

	(void)state;
	assert_int_equal(system(command), 0);
	free(command);
	btf_close(invented.kernel.types);
	functions_free(&invented.kernel.functions);
	strings_free(&invented.kernel.redirected);
	free(invented.types);
	free(invented.dir);
	invented = (struct invented){};
	return 0;
}
