// SPDX-License-Identifier: GPL-2.0
/* prototype_test.c - test how the prototype of a function is read from BTF */
#include <string.h>

#include "invented.h"
#include "probes/kernel_types.h"
#include "record_skb.h"

static struct prototype find(const char *name, const char *module)
{
	struct prototype prototype;

	assert_int_equal(btf_find(invented.kernel.types, name, module, &prototype, 1), 1);
	return prototype;
}

static void expect_packet(const char *name, unsigned int kind, unsigned int arg)
{
	const struct prototype prototype = find(name, "");
	unsigned int got_kind, got_arg;

	assert_true(prototype_find_packet(&prototype, &got_kind, &got_arg));
	assert_int_equal(got_kind, kind);
	assert_int_equal(got_arg, arg);
}

static void packets_are_found(void **state)
{
	(void)state;
	expect_packet("one_skb", RECORD_SKB_KIND_SKB, 0);
	expect_packet("const_skb", RECORD_SKB_KIND_SKB, 1);
	expect_packet("declared_skb", RECORD_SKB_KIND_SKB, 0);
	expect_packet("sock_and_skb", RECORD_SKB_KIND_SKB, 1);
	expect_packet("a_sock", RECORD_SKB_KIND_SOCK, 1);
	expect_packet("a_socket", RECORD_SKB_KIND_SOCKET, 0);
}

static void others_have_no_packet(void **state)
{
	static const char *const names[] = { "only_skb_ptr", "no_net", "list_rcv", "fd_call" };
	unsigned int kind, arg;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct prototype prototype = find(names[i], "");

		assert_false(prototype_find_packet(&prototype, &kind, &arg));
	}
}

static void expect_obstacle(const char *name, enum obstacle obstacle)
{
	const struct prototype prototype = find(name, "");

	assert_int_equal(prototype_obstacle(&prototype), obstacle);
}

static void gates_hand_on_registers(void **state)
{
	(void)state;
	expect_obstacle("one_skb", OBSTACLE_NONE);
	expect_obstacle("six", OBSTACLE_NONE);
	expect_obstacle("seven", OBSTACLE_MANY);
	expect_obstacle("by_value", OBSTACLE_STRUCT);
	expect_obstacle("small_by_value", OBSTACLE_STRUCT);
	expect_obstacle("wide", OBSTACLE_STRUCT);
	expect_obstacle("printf_like", OBSTACLE_VARARGS);
	expect_obstacle("returns_pair", OBSTACLE_RETURN);
	expect_obstacle("returns_small", OBSTACLE_NONE);
	expect_obstacle("some_xmit", OBSTACLE_NONE);
}

static void networking_is_known(void **state)
{
	struct prototype prototype;

	(void)state;
	prototype = find("a_socket", "");
	assert_true(prototype_is_net(&prototype));
	prototype = find("only_skb_ptr", "");
	assert_true(prototype_is_net(&prototype));
	prototype = find("no_net", "");
	assert_false(prototype_is_net(&prototype));
	prototype = find("list_rcv", "");
	assert_false(prototype_is_net(&prototype));
	prototype = find("some_xmit", "");
	assert_true(prototype_is_transmit(&prototype));
	prototype = find("sock_and_skb", "");
	assert_false(prototype_is_transmit(&prototype));
}

static void modules_add_to_the_kernel(void **state)
{
	struct prototype prototype;
	unsigned int kind, arg;

	(void)state;
	prototype = find("mod_rcv", "mod");
	assert_true(prototype_find_packet(&prototype, &kind, &arg));
	prototype = find("mod_rcv", NULL);
	assert_true(prototype_find_packet(&prototype, &kind, &arg));
	assert_int_equal(btf_find(invented.kernel.types, "mod_rcv", "", &prototype, 1), 0);
	assert_int_equal(btf_find(invented.kernel.types, "mod_rcv", "dark", &prototype, 1), -1);
	/* Both the module and the kernel have a function with this name. */
	prototype = find("one_skb", "mod");
	assert_false(prototype_find_packet(&prototype, &kind, &arg));
	prototype = find("one_skb", NULL);
	assert_true(prototype_find_packet(&prototype, &kind, &arg));
}

static void names_may_stand_for_several(void **state)
{
	struct prototype found[2];

	(void)state;
	assert_int_equal(btf_find(invented.kernel.types, "twice", "", found, 2), 2);
	assert_true(found[0].type != found[1].type);
	assert_int_equal(btf_find(invented.kernel.types, "twice", "", found, 1), 2);
	assert_int_equal(btf_find(invented.kernel.types, "same_twice", "", found, 2), 1);
	assert_int_equal(btf_find(invented.kernel.types, "nobody", "", found, 2), 0);
	assert_int_equal(btf_find(invented.kernel.types, "nobody", NULL, found, 2), 0);
}

static void a_kernel_without_types(void **state)
{
	struct prototype found;
	struct btf_set *types;

	(void)state;
	assert_false(btf_is_readable(NULL));
	assert_null(btf_open("/nonexistent"));
	invented_write("vmlinux", "not BTF at all");
	types = btf_open(invented.dir);
	assert_non_null(types);
	assert_false(btf_is_readable(types));
	assert_int_equal(btf_find(types, "ip_rcv", NULL, &found, 1), 0);
	assert_int_equal(btf_find(types, "ip_rcv", "", &found, 1), -1);
	btf_close(types);
}

int run_prototype_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_found),
		cmocka_unit_test(others_have_no_packet),
		cmocka_unit_test(gates_hand_on_registers),
		cmocka_unit_test(networking_is_known),
		cmocka_unit_test(modules_add_to_the_kernel),
		cmocka_unit_test(names_may_stand_for_several),
		cmocka_unit_test(a_kernel_without_types),
	};

	return cmocka_run_group_tests_name("types", tests, invent, forget);
}
