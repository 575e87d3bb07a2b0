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

#endif
