// SPDX-License-Identifier: GPL-2.0
/* test-module-key.c - test how the certificate of a signature and a key of the kernel are recognized */
#include <string.h>

#include "cmocka-all.h"
#include "module/module_key.h"

/*
 * The parts of a certificate that matter: the version (3) with a serial number of 0x80a1b2, which begins with
 * a zero because it is positive, and the extensions with the identifiers of the issuer's and of its own key.
 */
static const unsigned char certificate[] = {
	0x30, 0x82, 0x01, 0x00, 0xa0, 3,    2,	  1, 2, 2, 4,	 0,    0x80, 0xa1, 0xb2,
	0x30, 0x0d, 6,	  3,	0x55, 0x1d, 0x23, 4, 6, 4, 4,	 0xaa, 0xbb, 0xcc, 0xdd,
	6,    3,    0x55, 0x1d, 0x0e, 4,    6,	  4, 4, 0, 0x11, 0x22, 0x33, 0x30,
};
/* The same without extensions. */
#define BARE 17

static void by_serial_number(void **state)
{
	(void)state;
	assert_true(certificate_has_serial(certificate, sizeof(certificate), "80:A1:B2"));
	assert_true(certificate_has_serial(certificate, sizeof(certificate), "0080a1b2"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "80:A1"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "A1:B2"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "11:22:33"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), ""));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "0"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "80:A1:B"));
	assert_false(certificate_has_serial(certificate, sizeof(certificate), "some name"));
}

static void by_key(void **state)
{
	(void)state;
	assert_true(certificate_has_key(certificate, sizeof(certificate), "00112233"));
	assert_true(certificate_has_key(certificate, sizeof(certificate), "112233"));
	/* the key of the issuer */
	assert_false(certificate_has_key(certificate, sizeof(certificate), "aabbccdd"));
	assert_false(certificate_has_key(certificate, sizeof(certificate), "80a1b2"));
	assert_false(certificate_has_key(certificate, sizeof(certificate), ""));
	assert_true(certificate_has_key(certificate, BARE, "80a1b2"));
	assert_false(certificate_has_key(certificate, BARE, "112233"));
}

static void damaged(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof(certificate); size++) {
		assert_int_equal(certificate_has_serial(certificate, size, "80:A1:B2"), size >= 15);
		if (size >= 36)
			assert_int_equal(certificate_has_key(certificate, size, "112233"),
					 size >= 43);
	}
}

static void by_name(void **state)
{
	(void)state;
	assert_true(key_has_name("my modules: 0123", "my modules"));
	assert_true(key_has_name("Acme: Signing: 0123", "Signing"));
	assert_true(key_has_name("Acme: Signing: 0123", "Acme: Signing"));
	assert_false(key_has_name("Acme: Signing: 0123", "Acme"));
	assert_false(key_has_name("Acme: Signing: 0123", "ning"));
	assert_false(key_has_name("my modules: 0123", "modules"));
	assert_false(key_has_name("my modules: 0123", ""));
	assert_false(key_has_name("my modules", "my modules"));
	assert_false(key_has_name(": 0123", "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_serial_number),
		cmocka_unit_test(by_key),
		cmocka_unit_test(damaged),
		cmocka_unit_test(by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
