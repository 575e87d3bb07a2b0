/* SPDX-License-Identifier: GPL-2.0 */
/*
 * drop_evidence.h - remember the last calls before a drop, for drops without a known cause
 *
 * The function that drops a packet has often called another function before, and this call decided about the
 * drop. The recording shows these calls, but not what they returned. So the calls are evidence, but not proof
 * of a cause. Some calls leave only one cause; see call_causes.h.
 */
#ifndef _RECORD_SKB_DROP_EVIDENCE_H
#define _RECORD_SKB_DROP_EVIDENCE_H

#include "model/causes.h"
#include "model/packets.h"

struct drop_evidence;

struct drop_evidence *drop_evidence_create(void);
void drop_evidence_free(struct drop_evidence *evidence);

/*
 * This observer collects the calls. Pass it to reader_add_observer(), with the struct drop_evidence as data.
 */
extern const struct observer drop_evidence_observer;

/*
 * Return: a description of where a copy was dropped, and of the last calls before that; NULL if nothing is
 * known. Equal descriptions have the same address. The text is valid until drop_evidence_free().
 */
const char *drop_evidence_words(const struct drop_evidence *evidence, uint32_t packet,
				uint32_t copy);
/* Return: the function and offset of the drop; NULL if not known. Equal texts have the same address. */
const char *drop_evidence_location(const struct drop_evidence *evidence, uint32_t packet,
				   uint32_t copy);
/* Return: the source line of the drop; NULL if not known. Equal texts have the same address. */
const char *drop_evidence_source(const struct drop_evidence *evidence, uint32_t packet,
				 uint32_t copy);
/* Return: the cause of the drop, if the last calls before the drop show it; NULL if they do not. */
const struct cause *drop_evidence_cause(const struct drop_evidence *evidence, uint32_t packet,
					uint32_t copy);
/* Release the data about a packet. */
void drop_evidence_forget(struct drop_evidence *evidence, const struct packet *packet);

#endif
