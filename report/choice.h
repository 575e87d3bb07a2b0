/* SPDX-License-Identifier: GPL-2.0 */
/* choice.h - the numbers of the packets that are chosen, for who asks before a packet has ended */
#ifndef _REPORT_SKB_CHOICE_H
#define _REPORT_SKB_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "selection.h"

struct choice;

/**
 * choice_read - read a recording for its packets that are chosen
 * @path: the recording; not read where all are
 * @chosen: which; stays in use
 * @err: why not
 */
struct choice *choice_read(const char *path, const struct chosen *chosen, struct err *err);
void choice_free(struct choice *choice);

/* Whether packet @number is chosen. */
bool choice_has(const struct choice *choice, uint32_t number);

/* Say on standard error how many of how many are, if not all. */
void choice_say(const struct choice *choice);

#endif
