/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_TRACE_ARRAY_H
#define RECORD_SKB_COMPAT_TRACE_ARRAY_H

#include <linux/trace.h>
#include <linux/version.h>

/*
 * From 6.8 on (d23569979ca1), the function takes a list of event systems. Remove this when the support for
 * Linux 6.1 ends.
 */
static inline struct trace_array *compat_trace_array_get(const char *name)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return trace_array_get_by_name(name, NULL);
#else
	return trace_array_get_by_name(name);
#endif
}

#endif
