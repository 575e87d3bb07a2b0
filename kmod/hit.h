/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_HIT_H
#define RECORD_SKB_HIT_H

/*
 * struct hit - a call of a probe point that the prefilter has not rejected
 * @ip: address of the probe point
 * @parent_ip: address in the calling function
 * @arg: the arguments that the call passes in registers
 */
struct hit {
	unsigned long ip;
	unsigned long parent_ip;
	unsigned long arg[6];
};

#endif
