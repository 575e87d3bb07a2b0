/* SPDX-License-Identifier: GPL-2.0 */
/* option_checks.h - the options of report-skb that cannot be combined, and the keys of --sort */
#ifndef _RECORD_SKB_OPTION_CHECKS_H
#define _RECORD_SKB_OPTION_CHECKS_H

#include "report_options.h"

/* Select an output. Return: 0; -1 if another output was selected before. */
int options_choose_output(struct options *options, enum show show, struct err *err);

/*
 * If another output option is given, --json sets the format of that output. Otherwise, --json is an output
 * of its own.
 */
int options_choose_json(struct options *options, struct err *err);

/* Check that all options can be combined. Return: 0 or -1. */
int options_check(const struct options *options, struct err *err);

/*
 * For --diff, complete the selection of packets of the second recording. If the user has not given a setting
 * for the second recording, copy it from the selection of the first one.
 */
void options_choose_others(struct options *options);

/*
 * Return: the position of the argument of --sort in the output's list of keys. This is also its value in the
 * output's enum of orders. 0 without --sort; -1 if the output does not have this key.
 */
int options_order(const struct options *options);

#endif
