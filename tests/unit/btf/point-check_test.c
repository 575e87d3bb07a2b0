// SPDX-License-Identifier: GPL-2.0
/* point-check_test.c - test which functions may be probe points, and the messages about all others */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invented.h"
#include "probes/probe_points.h"

static char said[256];

static void say(const char *text)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s;", text);
}

static void expect_refusal(const char *pattern, const char *why)
{
	struct probe_globs extra = {};
	struct err err;

	said[0] = '\0';
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, pattern, say, &err), -1);
	if (!strstr(err.text, why))
		fail_msg("%s: \"%s\" does not contain \"%s\"", pattern, err.text, why);
	assert_null(strchr(err.text, '\n'));
	assert_int_equal(err.status, EXIT_OURS);
	assert_int_equal(extra.n, 0);
	probe_globs_free(&extra);
}

static void refusals_say_why(void **state)
{
	(void)state;
	expect_refusal("nobody_knows_it", "this kernel has no function 'nobody_knows_it'");
	expect_refusal("nobody_*", "no function of this kernel matches 'nobody_*'");
	expect_refusal("no_net", "none of its arguments");
	expect_refusal("seven", "more than six arguments");
	expect_refusal("not_in_btf", "the kernel's BTF does not have the types");
	expect_refusal("dark_rcv", "its module dark has no BTF");
	expect_refusal("twice", "several functions with this name, with different arguments");
	expect_refusal("two_of_it", "there are 2 functions with this name");
	expect_refusal("shaped", "has only its variant shaped.isra.0");
	expect_refusal("split.part.0", "the compiler made it");
	expect_refusal("__traceiter_one", "it is part of tracing");
	expect_refusal("kfree_skbmem", "not a packet yet, or is no longer a packet");
	expect_refusal("held_skb", "redirects it");
	expect_refusal("only_*", "only_skb_ptr cannot be a probe point");
	expect_refusal("*seven*", "more than six");
	expect_refusal("n*", "none of the 3 functions that match 'n*'");
}

static void expect_point(const struct record_skb_point *point, const char *func, unsigned int kind,
			 unsigned int arg)
{
	assert_string_equal(point->func, func);
	assert_int_equal(point->kind, kind);
	assert_int_equal(point->arg, arg);
	assert_int_equal(point->dir, RECORD_SKB_DIR_NONE);
	assert_int_equal(point->flags, RECORD_SKB_POINT_NO_DEV);
}

static void names_and_globs_become_points(void **state)
{
	struct probe_globs extra = {};
	struct err err;

	(void)state;
	said[0] = '\0';
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "sock_and_skb", say, &err), 0);
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "sock_and_skb", say, &err), 0);
	assert_int_equal(extra.n, 1);
	expect_point(&extra.v[0], "sock_and_skb", RECORD_SKB_KIND_SKB, 1);
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "*sock*", say, &err), 0);
	assert_int_equal(extra.n, 3);
	expect_point(&extra.v[1], "a_sock", RECORD_SKB_KIND_SOCK, 1);
	expect_point(&extra.v[2], "a_socket", RECORD_SKB_KIND_SOCKET, 0);
	assert_string_equal(said, "");
	probe_globs_free(&extra);
}

static void a_glob_says_what_somebody_redirects(void **state)
{
	struct probe_globs extra = {};
	struct err err;

	(void)state;
	said[0] = '\0';
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "*_skb", say, &err), 0);
	assert_non_null(strstr(said, "held_skb is left out"));
	for (size_t i = 0; i < extra.n; i++)
		assert_string_not_equal(extra.v[i].func, "held_skb");
	assert_int_equal(extra.n, 3);
	probe_globs_free(&extra);
}

static void the_table_knows_better(void **state)
{
	struct probe_globs extra = {};
	struct err err;

	(void)state;
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "ip_rcv", say, &err), 0);
	assert_int_equal(extra.n, 1);
	assert_int_equal(extra.v[0].dir, RECORD_SKB_DIR_RX);
	assert_int_equal(extra.v[0].flags, 0);
	probe_globs_free(&extra);
}

static void what_drivers_transmit_with_is_known(void **state)
{
	struct probe_globs extra = {};
	struct err err;

	(void)state;
	assert_int_equal(probe_globs_add(&extra, &invented.kernel, "some_xmit", say, &err), 0);
	assert_int_equal(extra.n, 1);
	assert_int_equal(extra.v[0].dir, RECORD_SKB_DIR_TX);
	assert_int_equal(extra.v[0].flags, 0);
	probe_globs_free(&extra);
}

static void redirected_functions_are_left_out(void **state)
{
	struct record_skb_point point = { .kind = RECORD_SKB_KIND_SKB, .func = "ip_rcv" };

	(void)state;
	said[0] = '\0';
	assert_true(point_is_free(&invented.kernel, &point, say));
	assert_string_equal(said, "");
	strcpy(point.func, "held_skb");
	assert_false(point_is_free(&invented.kernel, &point, say));
	assert_non_null(strstr(said, "redirects it"));
}

static void a_list_shows_what_could_be(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct err err;

	(void)state;
	assert_int_equal(list_points_glob(out, &invented.kernel, "*_s*", &err), 0);
	fclose(out);
	assert_string_equal(text, "a_sock                           -  sock   of argument 1\n"
				  "a_socket                         -  socket of argument 0\n"
				  "const_skb                        -  skb    of argument 1\n"
				  "one_skb                          -  skb    of argument 0\n"
				  "sock_and_skb                     -  skb    of argument 1\n"
				  "# 3 more functions match and cannot be probe points; "
				  "name one of them to see the reason\n");
	free(text);
}

int run_point_check_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_say_why),
		cmocka_unit_test(names_and_globs_become_points),
		cmocka_unit_test(a_glob_says_what_somebody_redirects),
		cmocka_unit_test(the_table_knows_better),
		cmocka_unit_test(what_drivers_transmit_with_is_known),
		cmocka_unit_test(redirected_functions_are_left_out),
		cmocka_unit_test(a_list_shows_what_could_be),
	};

	return cmocka_run_group_tests_name("point check", tests, invent, forget);
}
