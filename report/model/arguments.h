/* SPDX-License-Identifier: GPL-2.0 */
/* arguments.h - which packets a recording has, as the arguments of record-skb show */
#ifndef _RECORD_SKB_ARGUMENTS_H
#define _RECORD_SKB_ARGUMENTS_H

#include <stdbool.h>

/*
 * Return: true if these arguments of record-skb certainly also match the answers to each packet that they
 * match. @arguments are words of a shell, as in reader_arguments(); NULL if they are not known.
 */
bool arguments_match_answers(const char *arguments);

/*
 * Return: true if these arguments certainly match either all packets of one direction of a flow that
 * reach the machine, or none. With options such as -i or --where, or with conditions on the length or
 * on bytes of a packet, this is not certain.
 */
bool arguments_match_flows(const char *arguments);
/* Return: true if the arguments of two recordings certainly have the same conditions on packets. */
bool arguments_match_same(const char *a, const char *b);

#endif
