/* SPDX-License-Identifier: GPL-2.0 */
/* --shared: what a recording among others has for itself, and what it does to what they have together. */
#ifndef _RECORD_SKB_SHARE_H
#define _RECORD_SKB_SHARE_H

#include <stdbool.h>

#include "err.h"
#include "home.h"
#include "strlist.h"

/**
 * struct share - a recording among others
 * @recording: its number; 0 if it has none yet, or has the recording for itself
 * @lock: of lock_join(), -1 if it has not joined
 * @instances: the directory of tracing's instances, wherever this process is; -1 likewise
 */
struct share {
	unsigned int recording;
	int lock;
	int instances;
};

#define NO_SHARE                            \
	{                                   \
		.lock = -1, .instances = -1 \
	}

/* RECORD_SKB_GATE, RECORD_SKB_HIDE, … of a recording, to be freed; without a number for 0. */
char *share_name(const char *what, unsigned int recording);

/* Whether a function is the gate or the hide of any recording but this. */
bool share_is_others(const char *function, unsigned int recording);

/* Whether an instance of tracing is one of those that recordings make. */
bool share_is_instance(const char *name);

/**
 * share_join - take the recording together with others
 * @share: filled in; share_leave() it whatever this returns
 * @err: why not
 *
 * Loads the module. Returns its file, of a session with filter and points to be set, or -1.
 */
int share_join(struct share *share, struct err *err);

/**
 * share_begin - make the instance of tracing, and see it in tracing's place from now on
 * @share: has joined
 * @session: of the module
 * @err: why not
 *
 * Whoever puts back after us must not be our child by then: he would see it, too. Returns 0 or -1.
 */
int share_begin(const struct share *share, int session, struct err *err);

/* The tracer is on, and all is armed. */
void share_settled(const struct share *share);

/**
 * share_leave - give all of it back
 * @share: of which nothing may be armed any more
 * @home: where tracefs is what it is
 * @unload: set to whether the module is to be unloaded now, if it has joined
 * @err: what is left
 *
 * Those of its processes that had files of the instance open have to be gone. Returns 0, -EBUSY while
 * somebody else has one open, or another negative value.
 */
int share_leave(struct share *share, const struct home *home, bool *unload, struct err *err);

#endif
