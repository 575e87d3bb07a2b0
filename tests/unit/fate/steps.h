/* SPDX-License-Identifier: LGPL-2.1 */
/* steps.h - what happens to an skb, in a word each */
#ifndef STEPS_H
#define STEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fate.h"

extern const struct fate_packet data, no_data, headers_cut, untracked;

struct fate_function function(const char *name);

/* It is seen at a point, of the way in, of the way out, or of neither. */
void comes(struct fate *fate, const char *name);
void goes(struct fate *fate, const char *name);
void is_tapped(struct fate *fate, const char *name);

/* The function is left, and its value is not known; or it is told. */
void leaves(struct fate *fate, const char *name, const struct fate_packet *packet);
void returns(struct fate *fate, const char *name, int64_t value, const struct fate_packet *packet);

/* By a reader, or who had it in a queue. */
void ends(struct fate *fate, const struct fate_packet *packet);
/* By whom it was given on its way. */
void is_consumed(struct fate *fate, const struct fate_packet *packet);

enum { NO_REASON, REASON };
enum { LATER, AT_WORK };

/* A packet with data. */
void dropped(struct fate *fate, const char *name, bool reason, bool at_work);

#endif
