/* SPDX-License-Identifier: LGPL-2.1 */
/* functions.h - what is known of the kernel's functions that packets pass: their values, their part */
#ifndef _RECORD_SKB_FUNCTIONS_H
#define _RECORD_SKB_FUNCTIONS_H

/* What the values mean that a function returns. */
enum function_returns {
	RETURNS_NOTHING, /* or a pointer that is not worth showing */
	RETURNS_NUMBER,	 /* zero and others, of which even negative ones may be no errors */
	RETURNS_ERROR,	 /* a negative one is an error */
	RETURNS_RX,	 /* what a protocol says of a packet, or an error */
	RETURNS_XMIT,	 /* what a device's queue says of one, or an error */
	RETURNS_DRIVER,	 /* what a driver's transmit function says: of a driver, or of a queue */
	RETURNS_GRO,
	RETURNS_BOOL,
};

/* What a function that is given a packet does with it; fate.h says what follows. */
enum function_role {
	ROLE_PASSES,   /* hands it on, or anything else */
	ROLE_FORWARDS, /* the same, to the way out */
	ROLE_TAKES,    /* puts it into a socket's queue if it returns 0 */
	ROLE_TAPS,     /* puts it into a packet socket's queue, or a clone of it */
	ROLE_READS,    /* takes it out again for the reader; drops it if its checksum is wrong */
	ROLE_CLOSES,   /* empties the queues of a socket that is closed */
	ROLE_HANDLES, /* a protocol's: what it has not handed on when it returns, it has dealt with */
	ROLE_HANDLES_TCP, /* the same; a socket gets what has data */
	ROLE_HANDLES_SCTP, /* the same; a socket gets clones of what has data, and their ends say nothing */
	ROLE_MERGES,  /* puts it into another one of its flow if it returns GRO_MERGED */
	ROLE_QUEUES,  /* if nobody below has seen it, it waits in a queue */
	ROLE_SENDS,   /* hands it to a driver, and returns NULL if that has taken it */
	ROLE_DRIVES,  /* a driver's; has taken it if it returns NETDEV_TX_OK */
	ROLE_CROSSES, /* the same, of a device whose other end is in this machine, and receives it */
};

/**
 * struct function_facts - what is known of a function
 * @name: its name, in whatever kernel has it
 * @returns: enum function_returns
 * @role: enum function_role
 * @frees_all: it frees what it is done with as it frees what it ignores: as a drop without a reason
 * @offers: it asks all that may want the packet, of whom not all are points: who ends it, is not known
 * @writes_len: it writes the length into the IP header, where there is none before, or anything
 */
struct function_facts {
	const char *name;
	enum function_returns returns;
	enum function_role role;
	int frees_all;
	int offers;
	int writes_len;
};

/* NULL if nothing is. */
const struct function_facts *function_facts(const char *name);

/* It is the root of graphs: RECORD_SKB_GATE, alone or with the number of a recording behind it. */
int function_is_gate(const char *name);

#endif /* _RECORD_SKB_FUNCTIONS_H */
