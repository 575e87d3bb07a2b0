/* SPDX-License-Identifier: GPL-2.0 */
/* completeness.h - describe whether a recording is complete */
#ifndef _RECORD_SKB_COMPLETENESS_H
#define _RECORD_SKB_COMPLETENESS_H

#include "input/lost_events.h"
#include "input/reader.h"

/**
 * words_completeness - describe whether a recording is complete
 * @losses: the missing rows and calls
 * @end: the event that ended the ring, if the recording is a ring
 * @has_beginning: the recording contains its beginning
 *
 * Return: a text that begins with "yes" only if nothing is missing.
 */
const char *words_completeness(const struct lost_events *losses, const struct ring_end *end,
			       bool has_beginning);

#define MODULE_LOSSES_LEN 512
/* Describe what the module did not record: "5 flows forgotten". @buf has MODULE_LOSSES_LEN bytes. */
const char *words_module_losses(char *buf, const struct module_losses *losses);

#endif
