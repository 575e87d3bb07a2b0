/* SPDX-License-Identifier: GPL-2.0 */
/* The settings of tracing that a recording changes: saved, made harmless, put back. */
#ifndef _RECORD_SKB_TRACING_SETTINGS_H
#define _RECORD_SKB_TRACING_SETTINGS_H

#include <stdbool.h>

#include "err.h"
#include "strlist.h"

struct tracing_settings;

/*
 * Remember all settings that trace-cmd record might change; @event_filters: the filters of events too; @made:
 * names of instances that it makes. To be freed by tracing_settings_free().
 */
struct tracing_settings *tracing_settings_save(bool event_filters, const struct strings *made);

/* Take away what somebody left set that would hide part of a recording, once it is saved. Returns 0 or -1. */
int tracing_settings_neutral(const struct tracing_settings *settings, struct err *err);

/**
 * tracing_settings_restore - set what differs back to what it was
 * @settings: from tracing_settings_save()
 * @crashed: trace-cmd ended in the middle: its instances are to go as well
 * @err: names a setting that could not be brought back
 *
 * Writes nothing where nothing differs. Returns 0, -EIO, or -EBUSY if nothing else could be put back before
 * others let go of the tracer: then tracing is off.
 */
int tracing_settings_restore(const struct tracing_settings *settings, bool crashed,
			     struct err *err);
void tracing_settings_free(struct tracing_settings *settings);

#endif
