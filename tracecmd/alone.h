/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that the module has for itself, or for function_graph. */
#ifndef _RECORD_SKB_ALONE_H
#define _RECORD_SKB_ALONE_H

#include <stdbool.h>

#include "err.h"
#include "ftrace-functions.h"
#include "strlist.h"

/**
 * alone_take - let function_graph trace without the functions that the module stands at
 * @session: with all of its points
 * @functions: are read if need be
 * @chosen: those that function_graph is to trace, NULL for all
 * @own: those of @chosen that stay with function_graph in any case: the gates
 * @relayed: set: the module stands at all others too, and function_graph has to trace @own alone
 * @err: why not
 *
 * With two users a function is twice as dear, for everybody, and one that function_graph has eight times as
 * dear as one that the module has. The module gives function_graph those calls that it is to record. Where
 * that cannot be, nothing is done. Returns 0 or -1.
 */
int alone_take(int session, struct functions *functions, const struct strings *chosen,
	       const struct strings *own, bool *relayed, struct err *err);

#endif
