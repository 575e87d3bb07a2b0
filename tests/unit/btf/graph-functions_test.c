// SPDX-License-Identifier: GPL-2.0
/* graph-functions_test.c - test which functions --detail and --module record, and which CPUs --cpu accepts */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/processes.h"
#include "invented.h"
#include "probes/graph_functions.h"

static void expect(enum detail detail, const char *module, const char *wanted)
{
	struct options options = { .detail = detail };
	struct strings functions = {};
	char all[512] = "";
	struct err err;

	if (module)
		strings_add(&options.modules, module);
	strings_add(&functions, "gate");
	assert_int_equal(graph_functions_add(&options, &invented.kernel, &functions, &err), 0);
	for (size_t i = 0; i < functions.n; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), " %s", functions.v[i]);
	assert_string_equal(all, wanted);
	strings_free(&functions);
	strings_free(&options.modules);
}

static void details_choose(void **state)
{
	(void)state;
	expect(DETAIL_FULL, NULL, " gate");
	/* If BTF lacks the types of a transmit function, it must be found by its name. */
	expect(DETAIL_PATH, NULL, " gate dark_xmit one_xmit_more some_xmit");
	expect(DETAIL_NET, NULL,
	       " gate a_sock a_socket const_skb dark_xmit held_skb ip_rcv "
	       "mod_rcv net_rx_action one_skb one_xmit_more only_skb_ptr seven sock_and_skb some_xmit "
	       "split.part.0 twice");
}

static void unsaid_goes_by_what_is_known(void **state)
{
	struct options options = {}, module = {}, list = {};
	struct kernel dumb = {};

	(void)state;
	strings_add(&module.modules, "mod");
	strings_add(&list.listed, "ip_*");
	assert_int_equal(graph_functions_detail(&options, &invented.kernel), DETAIL_NET);
	assert_int_equal(graph_functions_detail(&options, &dumb), DETAIL_FULL);
	assert_int_equal(graph_functions_detail(&module, &invented.kernel), DETAIL_PATH);
	assert_int_equal(graph_functions_detail(&list, &invented.kernel), DETAIL_FULL);
	strings_free(&module.modules);
	strings_free(&list.listed);
}

static void modules_are_added(void **state)
{
	(void)state;
	expect(DETAIL_UNSAID, "mod", " gate dark_xmit mod_open mod_rcv one_xmit_more some_xmit");
	expect(DETAIL_PATH, "dark", " gate dark_rcv dark_xmit one_xmit_more some_xmit");
	expect(DETAIL_NET, "mod",
	       " gate a_sock a_socket const_skb dark_xmit held_skb ip_rcv "
	       "mod_open mod_rcv net_rx_action one_skb one_xmit_more only_skb_ptr seven sock_and_skb "
	       "some_xmit split.part.0 twice");
}

static void what_cannot_be_chosen_is_said(void **state)
{
	struct options options = { .detail = DETAIL_NET };
	struct strings functions = {};
	struct btf_set *types = invented.kernel.types;
	struct err err;

	(void)state;
	strings_add(&options.modules, "no-such");
	assert_int_equal(graph_functions_add(&options, &invented.kernel, &functions, &err), -1);
	assert_non_null(strstr(err.text, "the module 'no-such' does not exist"));
	invented.kernel.types = NULL;
	assert_int_equal(graph_functions_add(&options, &invented.kernel, &functions, &err), -1);
	assert_non_null(strstr(err.text, "--detail net"));
	invented.kernel.types = types;
	strings_free(&functions);
	strings_free(&options.modules);
}

static void lists_of_cpus(void **state)
{
	static const char *const bad[] = { "",	  ",",	   "0,",  "a",	"1-",	       "-1",
					   "2-1", "0-1-2", "0x1", "0 ", "99999999999", "9000" };
	struct err err;

	(void)state;
	assert_int_equal(cpu_list_check("0", &err), 0);
	assert_int_equal(cpu_list_check("0,0-0", &err), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(cpu_list_check(bad[i], &err), -1);
		assert_non_null(strstr(err.text, "is not a list of CPUs"));
	}
	/* Without /sys, only the kernel knows which CPUs exist, so skip the rest of the test. */
	if (access("/sys/devices/system/cpu/online", R_OK))
		return;
	assert_int_equal(cpu_list_check("0,8191", &err), -1);
	assert_non_null(strstr(err.text, "CPU 8191 is not online"));
}

static void masks_of_cpus(void **state)
{
	static const char *const lists[][2] = {
		{ "0", "1" },
		{ "0-1", "3" },
		{ "0-31", "ffffffff" },
		{ "0-32", "1,ffffffff" },
		{ "3,64", "1,00000000,00000008" },
	};
	char *mask;

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		mask = cpu_list_mask(lists[i][0]);
		assert_string_equal(mask, lists[i][1]);
		free(mask);
	}
	assert_null(cpu_list_mask("1-"));
}

int run_graph_functions_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(details_choose),
		cmocka_unit_test(unsaid_goes_by_what_is_known),
		cmocka_unit_test(modules_are_added),
		cmocka_unit_test(what_cannot_be_chosen_is_said),
		cmocka_unit_test(lists_of_cpus),
		cmocka_unit_test(masks_of_cpus),
	};

	return cmocka_run_group_tests_name("graph functions", tests, invent, forget);
}
