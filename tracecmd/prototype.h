/* SPDX-License-Identifier: GPL-2.0 */
/* What a function's prototype, as BTF has it, tells about it. */
#ifndef _RECORD_SKB_PROTOTYPE_H
#define _RECORD_SKB_PROTOTYPE_H

#include <stdbool.h>

#include "btf.h"

/* Most arguments that the calling convention passes in registers. */
#define PROTOTYPE_REGISTERS 6

/* Why a function cannot be called through a gate, which hands on six registers and returns one. */
enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_MANY,	 /* more arguments than registers */
	OBSTACLE_STRUCT, /* an argument that is no single register: a structure by value */
	OBSTACLE_VARARGS,
	OBSTACLE_RETURN, /* returns a structure larger than a register */
};

enum obstacle prototype_obstacle(const struct prototype *prototype);

/* Argument @arg, from 0, is a pointer to a structure of this name. */
bool prototype_points_to(const struct prototype *prototype, unsigned int arg,
			 const char *structure);

/* Argument @arg is an integer of the size of int. */
bool prototype_is_int(const struct prototype *prototype, unsigned int arg);

/**
 * prototype_find_packet - find the argument to match packets by
 * @prototype: of the function
 * @kind: set to enum record_skb_kind: a packet is better than a socket
 * @arg: set to which argument it is
 *
 * Returns false if there is none.
 */
bool prototype_find_packet(const struct prototype *prototype, unsigned int *kind,
			   unsigned int *arg);

/* The function takes or returns something that only networking has. */
bool prototype_is_net(const struct prototype *prototype);

/* As a driver's ndo_start_xmit is. */
bool prototype_is_transmit(const struct prototype *prototype);

#endif
