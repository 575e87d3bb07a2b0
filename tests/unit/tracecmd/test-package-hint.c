// SPDX-License-Identifier: GPL-2.0
/*
 * test-package-hint.c - test the hints about packages to install, for each distribution that os-release can
 * name
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "check.h"

static void says(const char *os_release, const char *tool, const char *headers)
{
	char name[] = "/tmp/os-release.XXXXXX", *said;
	const int fd = mkstemp(name);

	assert_int_equal(write(fd, os_release, strlen(os_release)), strlen(os_release));
	close(fd);
	said = package_hint(name, "trace-cmd");
	assert_string_equal(said, tool);
	free(said);
	said = package_hint_headers(name, "6.1.0-1");
	assert_string_equal(said, headers);
	free(said);
	unlink(name);
}

static void by_its_id(void **state)
{
	(void)state;
	says("NAME=\"Debian\"\nID=debian\n", "apt install trace-cmd",
	     "apt install linux-headers-6.1.0-1");
	says("ID=fedora\n", "dnf install trace-cmd", "dnf install kernel-devel-6.1.0-1");
}

static void by_what_it_is_like(void **state)
{
	(void)state;
	says("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt install trace-cmd",
	     "apt install linux-headers-6.1.0-1");
	says("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install trace-cmd",
	     "dnf install kernel-devel-6.1.0-1");
	says("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n", "zypper install trace-cmd",
	     "zypper install kernel-default-devel");
}

static void of_another_the_package_alone(void **state)
{
	(void)state;
	says("ID=arch\nVARIANT_ID=debian\nID_LIKE=\n", "install the package trace-cmd",
	     "install the package with the headers of kernel 6.1.0-1");
	says("", "install the package trace-cmd",
	     "install the package with the headers of kernel 6.1.0-1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_its_id),
		cmocka_unit_test(by_what_it_is_like),
		cmocka_unit_test(of_another_the_package_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
