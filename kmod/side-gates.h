/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SIDE_GATES_H
#define RECORD_SKB_SIDE_GATES_H

#include "gate.h"
#include "graph.h"

gate_fn *gate_function(enum gate gate);

#endif
