/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_TRACEFS_STATE_H
#define _RECORD_SKB_TRACEFS_STATE_H

#include <stdbool.h>

#include "err.h"

struct tracefs_state;

/**
 * tracefs_state_save - remember all settings that trace-cmd record might change
 * @dir: from tracefs_find(); must outlive the state
 *
 * Returns what tracefs_state_restore() and tracefs_state_free() take.
 */
struct tracefs_state *tracefs_state_save(const char *dir);

/* Take away what somebody left set that would hide part of a recording. Call it after saving. */
void tracefs_state_neutral(const struct tracefs_state *state);

/**
 * tracefs_state_restore - set what differs back to what it was
 * @state: from tracefs_state_save()
 * @crashed: trace-cmd ended in the middle: its instances are to go as well
 * @err: names a setting that could not be brought back
 *
 * Writes nothing where nothing differs. Returns 0 or -1.
 */
int tracefs_state_restore(const struct tracefs_state *state, bool crashed, struct err *err);
void tracefs_state_free(struct tracefs_state *state);

#endif
