/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracer_users.h - check that this kernel allows tracing, find other users of tracing, and lock out other
 * recordings
 */
#ifndef _RECORD_SKB_TRACER_USERS_H
#define _RECORD_SKB_TRACER_USERS_H

#include <stdbool.h>

#include "err.h"
#include "text.h"

/**
 * tracing_find - find tracefs; if necessary, mount it as trace-cmd does
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int tracing_find(struct err *err);

/* Check that the kernel has the tracer function_graph. Returns 0 or -1. */
int tracing_check_tracer(struct err *err);

/* Check that no tracer is set in the top instance. Returns 0, or -1 and @err names the tracer. */
int tracing_check_free(struct err *err);

/* Return the number of unread entries in the buffer of the top instance. */
unsigned long long tracing_unread(void);

/*
 * Return the path of the trigger file of an event that has a trigger, to be freed; NULL if no event has one.
 */
char *tracing_trigger(void);

/*
 * Return the name of an instance of another user with function_graph as its tracer, to be freed; NULL if no
 * such instance exists. During a recording, that instance would see only functions below the gate, because
 * all instances share set_graph_function.
 */
char *tracing_graph_instance(void);

/*
 * Return true if the function profiler is on. Since Linux 6.11, it can be on at the same time as
 * function_graph.
 */
bool tracing_profiles(void);

/*
 * Check that the recording may change set_graph_function. Returns 0. Returns -1 if an instance uses
 * function_graph, and this kernel would crash if the file were changed then.
 */
int tracing_check_graph_race(int session, struct err *err);

/*
 * Append the names of all functions that an ftrace user redirects. ftrace allows one such user for each
 * function.
 */
void ipmodify_users_read(struct strings *redirected);

/**
 * ipmodify_user_of - describe the ftrace user that redirects a function
 * @redirected: from ipmodify_users_read()
 * @function: name of the function
 *
 * Returns a text for messages, to be freed; NULL if the function is not redirected.
 */
char *ipmodify_user_of(const struct strings *redirected, const char *function);

/*
 * Keep only the functions that a live patch redirects. The other functions are probe points of another
 * shared recording, and this recording can probe them, too.
 */
void ipmodify_users_keep_patched(struct strings *redirected);

/*
 * BPF programs of the kinds fentry and fexit are attached to a function by a direct call. Return the first
 * of @functions that has a direct call and is not redirected, to be freed; NULL if none has. Such a
 * function is a problem for a second shared recording: its probe points are added to an ftrace_ops that is
 * registered already, but ftrace informs BPF about a redirection only when an ftrace_ops is registered.
 */
char *direct_call_user(const struct strings *functions);

/*
 * Find another user that traces returns of functions by fprobe (BPF's kretprobe-multi, or an fprobe event).
 * Return the name of one of its functions, to be freed; NULL if the kernel shows no such user. The kernel
 * does not show a user if all its functions have another user of ftrace.
 */
char *fprobe_users_find(void);

/*
 * Recordings use two locks. The first lock is held during a recording: exclusively by an exclusive recording,
 * or jointly by all shared recordings, each until it has restored everything. The second lock protects the
 * settings that shared recordings have in common. One shared recording at a time holds it, for a short time.
 */

/**
 * lock_take - take the lock for an exclusive recording
 * @err: set to a message that names the other recording
 *
 * This function waits for the watchdog of a killed recorder, which holds the lock for a moment. It does not
 * wait for the end of another recording. Returns a file descriptor, closed on exec; closing it releases the
 * lock. Returns -1 on failure.
 */
int lock_take(struct err *err);

/**
 * lock_join - take the lock for a shared recording
 * @instances: set to a file descriptor of the directory of tracing instances, closed on exec; the caller has
 *	to close it if it is not -1
 * @brief: set to a file descriptor with the second lock, which is held now; the caller should close it soon
 * @first: set to true if no other shared recording is running
 * @err: set to a message that names the exclusive recording
 *
 * Returns a file descriptor, closed on exec; closing it releases the lock. Returns -1 on failure.
 */
int lock_join(int *instances, int *brief, bool *first, struct err *err);

/*
 * Take only the second lock. Returns a file descriptor that is closed on exec and that the caller should
 * close soon; or -1.
 */
int lock_brief(int instances, struct err *err);

/*
 * Try to make @lock, which lock_join() returned, exclusive. Returns true if no other shared recording runs.
 * Then none can start until @lock is closed. The caller must hold the second lock; see lock_brief().
 */
bool lock_is_last(int lock);

#endif
