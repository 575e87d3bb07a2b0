/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plain_terms.h - find the ports that a BPF program compares, so that the module need not run it for most
 * packets
 */
#ifndef _RECORD_SKB_PLAIN_TERMS_H
#define _RECORD_SKB_PLAIN_TERMS_H

#include "filter/filter_text.h"
#include "filter/compile_filter.h"

/**
 * plain_terms_add - add terms with which the module can reject most plain packets without running the BPF
 * program
 * @terms: the terms for the module. The function adds terms with the member plain set, or none if that
 *	is not possible. Each plain TCP or UDP packet that the program matches fulfils at least one of them
 * @program: the BPF program, which must read from the network header on. Its offsets must be those that
 *	libpcap has made, without an added base (see compile_filter.c)
 */
void plain_terms_add(struct terms *terms, const struct program *program);

#endif
