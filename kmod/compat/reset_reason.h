/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_RESETREASON_H
#define RECORD_SKB_COMPAT_RESETREASON_H

/*
 * Linux 6.10 and later pass the reason of a reset to the tracepoint tcp_send_reset. The names of the reasons
 * come from the kernel headers that the module is built with. Remove this when the support for Linux 6.1
 * ends.
 */
#if __has_include(<net/rstreason.h>)
#include <linux/kernel.h>
#include <net/rstreason.h>

#define COMPAT_RESET_REASON   , const enum sk_rst_reason reason
#define compat_reset_reason() reason

/* Return: name of a reset reason, without prefix; "" if the kernel has no name for it. */
static inline const char *compat_reset_reason_name(unsigned int reason)
{
#define COMPAT_NAME(name)      [SK_RST_REASON_##name] = #name,
#define COMPAT_LAST_NAME(name) [SK_RST_REASON_##name] = #name
	static const char *const names[] = { DEFINE_RST_REASON(COMPAT_NAME, COMPAT_LAST_NAME) };
#undef COMPAT_NAME
#undef COMPAT_LAST_NAME

	return reason < ARRAY_SIZE(names) && names[reason] ? names[reason] : "";
}
#else
#define COMPAT_RESET_REASON
#define compat_reset_reason() 0

static inline const char *compat_reset_reason_name(unsigned int reason)
{
	return "";
}
#endif

#endif
