/* SPDX-License-Identifier: GPL-2.0 */
/* --count, --duration and --max-size: what ends a recording by itself. */
#ifndef _RECORD_SKB_END_LIMITS_H
#define _RECORD_SKB_END_LIMITS_H

#include "options.h"

/**
 * limits_reached - look whether a limit is reached
 * @options: the user's
 * @session: the module's file
 * @file: that is written, NULL for none
 * @seconds: since the recording began
 *
 * Returns the option, NULL for none.
 */
const char *limits_reached(const struct options *options, int session, const char *file,
			   unsigned long seconds);

#endif
