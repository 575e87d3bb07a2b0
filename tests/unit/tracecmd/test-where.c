// SPDX-License-Identifier: GPL-2.0
/* test-where.c - compile conditions of --where with made-up types, and run them on made-up packets */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "filter/field_condition.h"

/* Use the module's own code to run the compiled steps. */
#include "../../../kmod/where.c"

/*
 * The made-up types describe this structure:
 *
 *   struct sk_buff {
 *           u32 len; __be16 protocol; s8 delta; u8 low:3, high:5;
 *           struct { u32 mark; union { u16 queue; u16 other; } };
 *           struct { u8 x; } named; u8 cb[4]; void *dev;
 *   }
 */
static unsigned char packet[40];

static struct btf *btf;

static int make_types(void **state)
{
	int u8, s8, u16, u32, be16, array, inner, outer, both, pointer;

	(void)state;
	btf = btf__new_empty();
	u8 = btf__add_int(btf, "unsigned char", 1, 0);
	s8 = btf__add_int(btf, "signed char", 1, BTF_INT_SIGNED);
	u16 = btf__add_int(btf, "unsigned short", 2, 0);
	u32 = btf__add_int(btf, "unsigned int", 4, 0);
	be16 = btf__add_typedef(btf, "__be16", u16);
	array = btf__add_array(btf, u32, u8, 4);
	inner = btf__add_union(btf, NULL, 2);
	btf__add_field(btf, "queue", u16, 0, 0);
	btf__add_field(btf, "other", u16, 0, 0);
	outer = btf__add_struct(btf, NULL, 8);
	btf__add_field(btf, "mark", u32, 0, 0);
	btf__add_field(btf, NULL, inner, 32, 0);
	both = btf__add_struct(btf, "x", 1);
	btf__add_field(btf, "x", u8, 0, 0);
	pointer = btf__add_ptr(btf, both);
	btf__add_struct(btf, "sk_buff", sizeof(packet));
	btf__add_field(btf, "len", u32, 0, 0);
	btf__add_field(btf, "protocol", be16, 32, 0);
	btf__add_field(btf, "delta", s8, 48, 0);
	btf__add_field(btf, "low", u8, 56, 3);
	btf__add_field(btf, "high", u8, 59, 5);
	btf__add_field(btf, NULL, outer, 64, 0);
	btf__add_field(btf, "named", both, 128, 0);
	btf__add_field(btf, "cb", array, 136, 0);
	btf__add_field(btf, "dev", pointer, 192, 0);
	memcpy(packet,
	       (unsigned char[]){ 84, 0, 0, 0, 0x08, 0x00, 0xff, 3 | 17 << 3, 0x34, 0x12, 0, 0, 7 },
	       13);
	packet[16] = 9;
	packet[20] = 5;
	return 0;
}

static int free_types(void **state)
{
	(void)state;
	btf__free(btf);
	return 0;
}

static bool holds(const char *text)
{
	struct record_skb_options settings;
	struct err err = {};

	if (where_compile(btf, text, &settings, &err))
		fail_msg("%s", err.text);
	assert_true(where_is_valid(settings.steps, settings.nr_steps));
	return where_holds(settings.steps, settings.nr_steps, (struct sk_buff *)packet);
}

static void test_fields(void **state)
{
	(void)state;
	assert_true(holds("len == 84"));
	assert_true(holds("protocol == 0x0800"));
	assert_true(holds("delta == -1 && delta < 0"));
	assert_true(holds("low == 3 && high == 17"));
	assert_true(holds("mark == 0x1234 && queue == 7 && other == 7"));
	assert_true(holds("named.x == 9 && cb[3] == 5 && !cb[0]"));
	assert_true(holds("!dev"));
}

static void test_operators(void **state)
{
	(void)state;
	assert_true(holds("len >= 84 && mark & 0xff"));
	assert_false(holds("len > 84 || mark & 1"));
	assert_true(holds("1 + 2 << 3 == 24"));
	assert_true(holds("(mark >> 8 & 0xff) == 0x12"));
	assert_true(holds("1 | 2 ^ 3 & 1"));
	assert_true(holds("10 - 3 - 2 == 5"));
	assert_true(holds("!(len != 84) && ~0 == -1 && 1 << 4 == 16"));
	assert_true(holds("0 || len < 100 && len <= 84"));
	assert_false(holds("0"));
}

static void refused(const char *text, const char *why)
{
	struct record_skb_options settings;
	struct err err = {};

	assert_int_equal(where_compile(btf, text, &settings, &err), -1);
	if (!strstr(err.text, why))
		fail_msg("'%s' does not contain '%s'", err.text, why);
}

static void test_errors(void **state)
{
	char deep[200];

	(void)state;
	refused("prioritty == 1", "no field 'prioritty'");
	refused("named == 1", "the field named is not a number");
	refused("named.y", "no field 'y'");
	refused("len.x", "a field is missing");
	refused("cb[4]", "not an element");
	refused("cb[-1]", "not an element");
	refused("len[0]", "not an array");
	refused("cb", "not a number");
	refused("dev->ifindex", "pointers are not followed");
	refused("len ==", "a field or a number is missing at 'the end'");
	refused("len 84", "an operator is missing at '84'");
	refused("(len", "a ')' is missing");
	refused("len = 84", "an operator is missing");
	refused("12x", "not a number");
	refused("", "a field or a number is missing");
	memset(deep, '(', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	refused(deep, "too long");
	memset(deep, '!', sizeof(deep) - 1);
	refused(deep, "too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_operators),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests_name("--where", tests, make_types, free_types);
}
