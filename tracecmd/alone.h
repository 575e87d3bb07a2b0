/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that the module has for itself. */
#ifndef _RECORD_SKB_ALONE_H
#define _RECORD_SKB_ALONE_H

#include "err.h"
#include "ftrace-functions.h"
#include "strlist.h"

/**
 * alone_take - let function_graph trace without the functions that the module stands at
 * @session: with all of its points
 * @functions: are read if need be
 * @chosen: those that function_graph is to trace, NULL for all
 * @err: why not
 *
 * With two users a function is twice as dear, for everybody. The module gives function_graph those calls that
 * it is to record. Where that cannot be, nothing is done. Returns 0 or -1.
 */
int alone_take(int session, struct functions *functions, const struct strings *chosen,
	       struct err *err);

#endif
