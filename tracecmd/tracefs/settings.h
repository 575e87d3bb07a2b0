/* SPDX-License-Identifier: GPL-2.0 */
/* settings.h - save, reset and restore the tracing settings that a recording changes */
#ifndef _RECORD_SKB_SETTINGS_H
#define _RECORD_SKB_SETTINGS_H

#include <stdbool.h>

#include "err.h"
#include "module/module_client.h"
#include "text.h"

struct tracing_settings;

/*
 * Save all tracing settings that trace-cmd record might change. @event_filters: true to save the filters of
 * events, too. @graph_race: from session_graph_race(). @made: names of the tracing instances that the
 * recording creates. Return the settings, to be freed by tracing_settings_free().
 */
struct tracing_settings *tracing_settings_save(bool event_filters, bool graph_race,
					       const struct strings *made);

/*
 * Reset those settings that would hide a part of the recording if they kept their saved values.
 *
 * Returns 0 or -1.
 */
int tracing_settings_neutral(const struct tracing_settings *settings, struct err *err);

/**
 * tracing_settings_restore - restore the settings that have changed since they were saved
 * @settings: from tracing_settings_save()
 * @crashed: true if trace-cmd did not exit normally, so that the instances that it created have to be
 *	removed
 * @err: set to a message that names a setting that could not be restored
 *
 * Returns 0, -EIO or -EBUSY. -EBUSY means that no setting could be restored, because another process keeps
 * the tracer in use; tracing is off then.
 */
int tracing_settings_restore(const struct tracing_settings *settings, bool crashed,
			     struct err *err);
/*
 * Add all saved settings to the list of settings that the module restores if the processes of the recording
 * are killed.
 */
void tracing_settings_list(const struct tracing_settings *settings, struct restore_list *list);
void tracing_settings_free(struct tracing_settings *settings);

#endif
