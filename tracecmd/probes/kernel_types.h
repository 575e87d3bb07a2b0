/* SPDX-License-Identifier: GPL-2.0 */
/* kernel_types.h - read the prototypes of functions from BTF, and classify them */
#ifndef _RECORD_SKB_KERNEL_TYPES_H
#define _RECORD_SKB_KERNEL_TYPES_H

#include <bpf/btf.h>
#include <stdbool.h>

#define BTF_DIR "/sys/kernel/btf"

/**
 * struct prototype - prototype of a function
 * @btf: the types to which IDs in @type refer
 * @type: the type of the function, a BTF_KIND_FUNC_PROTO
 */
struct prototype {
	const struct btf *btf;
	const struct btf_type *type;
};

struct btf_set;

/**
 * btf_open - prepare to read the BTF types of the kernel and its modules when they are needed
 * @dir: directory with the BTF files: BTF_DIR, except in tests
 *
 * Returns NULL if this kernel has no BTF.
 */
struct btf_set *btf_open(const char *dir);
void btf_close(struct btf_set *set);

/* Return true if the types of the kernel can be read. @set may be NULL. */
bool btf_is_readable(struct btf_set *set);

/**
 * btf_find - find the prototypes of a function
 * @set: from btf_open()
 * @function: name of the function
 * @module: name of the function's module; "" for the kernel itself; NULL to search the kernel, and
 *	then all modules if the kernel does not have the function
 * @found: array for the prototypes; there are more than one if several functions of this name have
 *	different prototypes
 * @room: size of @found
 *
 * Returns the number of prototypes, which can exceed @room. Returns 0 if no function has this name, and -1 if
 * the module has no types.
 */
int btf_find(struct btf_set *set, const char *function, const char *module, struct prototype *found,
	     int room);

/* Number of arguments that x86-64 passes in registers. The gate can pass on only these. */
#define PROTOTYPE_REGISTERS 6

/*
 * Reasons why a gate of the module cannot call a function: the gate passes on six registers, and returns the
 * value of one register.
 */
enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_MANY,	 /* too many arguments for the registers */
	OBSTACLE_STRUCT, /* an argument does not fit into a register: a structure by value */
	OBSTACLE_VARARGS,
	OBSTACLE_RETURN, /* the function returns a structure larger than a register */
};

enum obstacle prototype_obstacle(const struct prototype *prototype);

/* Return true if argument number @arg, counted from 0, is a pointer to the structure @structure. */
bool prototype_points_to(const struct prototype *prototype, unsigned int arg,
			 const char *structure);

/**
 * prototype_find_packet - find the argument of a function that is a packet or a socket
 * @prototype: prototype of the function
 * @kind: set to the kind of the argument, enum record_skb_kind
 * @arg: set to the number of the argument, from 0
 *
 * If the function has both, the packet is chosen. Returns false if no argument is a packet or a socket.
 */
bool prototype_find_packet(const struct prototype *prototype, unsigned int *kind,
			   unsigned int *arg);

/* Return true if an argument or the return value is a pointer to a structure that only networking uses. */
bool prototype_is_net(const struct prototype *prototype);

/* Return true if the prototype is the one that transmit functions of drivers have (ndo_start_xmit). */
bool prototype_is_transmit(const struct prototype *prototype);

#endif /* _RECORD_SKB_KERNEL_TYPES_H */
