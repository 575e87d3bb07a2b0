/* SPDX-License-Identifier: GPL-2.0 */
/* --count, --duration and --max-size: what ends a recording by itself. */
#ifndef _RECORD_SKB_END_LIMITS_H
#define _RECORD_SKB_END_LIMITS_H

#include "options.h"
#include "output-file.h"

/**
 * limits_reached - look whether a limit is reached
 * @options: the user's
 * @session: the module's file
 * @output: the file that is written, if one is
 * @packets_before: those of earlier rings
 * @seconds: since the recording began
 *
 * Returns the option, NULL for none.
 */
const char *limits_reached(const struct options *options, int session, const struct output *output,
			   unsigned long long packets_before, unsigned long seconds);

#endif
