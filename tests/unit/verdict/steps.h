/* SPDX-License-Identifier: LGPL-2.1 */
/* steps.h - short functions that pass the events of an skb to the state machine in reading/verdict.c */
#ifndef STEPS_H
#define STEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "verdict.h"

extern const struct fate_packet data, no_data, headers_cut, untracked;

struct fate_function function(const char *name);

/*
 * The packet reaches a probe point. comes() is for the receive path, goes() for the transmit path, and
 * is_tapped() for a probe point that is on neither path.
 */
void comes(struct fate *fate, const char *name);
void goes(struct fate *fate, const char *name);
void is_tapped(struct fate *fate, const char *name);

/* The function returns. Its return value is unknown (leaves) or recorded (returns). */
void leaves(struct fate *fate, const char *name, const struct fate_packet *packet);
void returns(struct fate *fate, const char *name, int64_t value, const struct fate_packet *packet);

/* The skb ends while no function handles it: its reader or the owner of its queue frees it. */
void ends(struct fate *fate, const struct fate_packet *packet);
/* The skb ends because the function that handles it frees it, but does not drop it. */
void is_consumed(struct fate *fate, const struct fate_packet *packet);

enum { NO_REASON, REASON };
enum { LATER, AT_WORK };

/* The skb of a packet with data is dropped. */
void dropped(struct fate *fate, const char *name, bool reason, bool at_work);

#endif
