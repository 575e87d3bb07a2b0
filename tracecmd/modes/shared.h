/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shared.h - --shared: the tracing instance of a shared recording, and the settings that all shared
 * recordings have in common
 */
#ifndef _RECORD_SKB_SHARED_H
#define _RECORD_SKB_SHARED_H

#include <stdbool.h>

#include "err.h"
#include "module/module_client.h"
#include "text.h"
#include "tracefs/instances.h"

/**
 * struct shared - state of a shared recording
 * @recording: number of this recording among the shared recordings, from 1; 0 if the recording has not
 *	joined them, or is not shared
 * @lock: from lock_join(); -1 if the recording has not joined
 * @instances: file descriptor of the directory of tracing instances, valid in any mount namespace; -1
 *	if the recording has not joined
 * @race: from session_graph_race(). If true, the list of gates must not change while function_graph is in
 *	use, so the first shared recording sets the gates of all possible recordings
 */
struct shared {
	unsigned int recording;
	int lock;
	int instances;
	bool race;
};

#define NO_SHARE                            \
	{                                   \
		.lock = -1, .instances = -1 \
	}

/**
 * shared_join - begin a recording that can run at the same time as other shared recordings
 * @shared: filled in; call shared_leave() also if this fails
 * @err: set to the reason on failure
 *
 * Loads the module if necessary. Returns the file descriptor of a session that has no filter and no probe
 * points yet, or -1.
 */
int shared_join(struct shared *shared, struct err *err);

/**
 * shared_begin - create the recording's tracing instance, and let this process see it in place of the top
 * instance
 * @shared: from shared_join()
 * @session: file descriptor from shared_join()
 * @err: set to the reason on failure
 *
 * Start the watchdog before this call, because the watchdog has to see the top instance. Returns 0 or -1.
 */
int shared_begin(const struct shared *shared, int session, struct err *err);

/*
 * Remove the tracing instance that occupies slot 0 of fgraph. Call this function when the recording's tracer
 * is on and the module is armed.
 */
void shared_settled(const struct shared *shared);

/**
 * shared_leave - end a shared recording; the last shared recording also restores the common settings
 * @shared: from shared_join(); the module must be disarmed
 * @session: file descriptor from shared_join(); -1 if it was closed
 * @home: the user's mount namespace, in which no overlay hides a part of tracefs
 * @unload: set to true if the caller has to unload the module now; unchanged if the recording has not
 *	joined
 * @err: set to the reason on failure
 *
 * Before this call, all processes that had files of the recording's instance open must have exited. Returns
 * 0. Returns -EBUSY while another process has such a file open, or another negative value on failure.
 */
int shared_leave(struct shared *shared, int session, const struct home *home, bool *unload,
		 struct err *err);

/*
 * The functions below save and restore settings that all tracing instances share: before Linux 6.18 the
 * options of function_graph, and on any kernel some other settings.
 *
 * The first shared recording changes these settings, and the last one restores them. The first recording may
 * have ended before the last one, so it saves the settings to a file. If a shared recording has loaded the
 * module, the file says so, and the last recording unloads the module.
 *
 * To call these functions, a process must hold the second lock of tracer_users.h, and be in the mount
 * namespace in which no overlay hides a part of tracefs.
 */

/*
 * For the first shared recording: save the settings to the file. @module_loaded: true if this recording has
 * loaded the module. Returns 0 or -1.
 */
int shared_state_note(bool module_loaded, struct err *err);

/*
 * For the first shared recording, after shared_state_note(): change the settings to the values that a
 * recording needs.
 */
void shared_state_begin(void);

/*
 * Add the saved settings to the list of settings that the module restores if all shared recordings are
 * killed.
 */
void shared_state_list(struct restore_list *list);

/*
 * For the last shared recording: restore the saved settings, if there are any. Return true if a shared
 * recording has loaded the module, and no other process has loaded it again since.
 */
bool shared_state_end(void);

/*
 * For the first shared recording, before it begins: delete settings that killed recordings have saved. The
 * module has restored these settings already, and other users may have changed them since. Returns the same
 * as shared_state_end().
 */
bool shared_state_forget(void);

#endif /* _RECORD_SKB_SHARED_H */
