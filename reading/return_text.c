// SPDX-License-Identifier: LGPL-2.1
/*
 * return_text.c - format the return value of a probed function with the kernel's names
 */
#include <stdio.h>
#include <string.h>

#include "functions.h"
#include "return_text.h"

/* The largest error number of the kernel. */
#define MAX_ERRNO 4095
/*
 * The first error number that is internal to the kernel. This number and all larger ones never reach user
 * space.
 */
#define FIRST_OWN_ERRNO 512

static const char *const rx_names[] = { "NET_RX_SUCCESS", "NET_RX_DROP" };
static const char *const xmit_names[] = { "NET_XMIT_SUCCESS", "NET_XMIT_DROP", "NET_XMIT_CN" };
static const char *const driver_names[] = {
	[0] = "NETDEV_TX_OK",
	[1] = "NET_XMIT_DROP",
	[2] = "NET_XMIT_CN",
	[16] = "NETDEV_TX_BUSY",
};
static const char *const gro_names[] = {
	"GRO_MERGED", "GRO_MERGED_FREE", "GRO_HELD", "GRO_NORMAL", "GRO_CONSUMED",
};
static const char *const bool_names[] = { "false", "true" };
static const char *const own_errors[] = {
	"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK",
};

#define lookup(table, number) name_of(table, sizeof(table) / sizeof((table)[0]), number)

static const char *name_of(const char *const *table, size_t len, int64_t number)
{
	return number >= 0 && (uint64_t)number < len ? table[number] : NULL;
}

static const char *error_name(int number)
{
	if (number >= FIRST_OWN_ERRNO)
		return lookup(own_errors, number - FIRST_OWN_ERRNO);
	return strerrorname_np(number);
}

static const char *value_name(enum function_returns returns, int64_t value)
{
	switch (returns) {
	case RETURNS_RX:
		return lookup(rx_names, value);
	case RETURNS_XMIT:
		return lookup(xmit_names, value);
	case RETURNS_DRIVER:
		return lookup(driver_names, value);
	case RETURNS_GRO:
		return lookup(gro_names, value);
	case RETURNS_BOOL:
		return lookup(bool_names, value);
	default:
		return NULL;
	}
}

static bool has_errors(enum function_returns returns)
{
	return returns == RETURNS_ERROR || returns == RETURNS_RX || returns == RETURNS_XMIT ||
	       returns == RETURNS_DRIVER;
}

bool return_text(char *buf, const char *func, int64_t ret, bool unknown)
{
	const struct function_facts *known = function_facts(func);
	enum function_returns returns = known ? known->returns : RETURNS_NUMBER;
	/* For the return types int and bool, the upper bits of the register are not set. */
	int value = returns == RETURNS_BOOL ? (uint8_t)ret : (int32_t)ret;
	const char *name = value_name(returns, value);
	const char *error = NULL;

	if (known ? returns == RETURNS_NOTHING : !unknown)
		return false;
	if (has_errors(returns) && value < 0 && value >= -MAX_ERRNO)
		error = error_name(-value);
	if (name)
		snprintf(buf, RETURN_TEXT_LEN, "= %s", name);
	else if (error)
		snprintf(buf, RETURN_TEXT_LEN, "= -%s", error);
	else
		snprintf(buf, RETURN_TEXT_LEN, "= %d", value);
	return true;
}
