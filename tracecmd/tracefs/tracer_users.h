/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracer_users.h - check that this kernel allows tracing, find other users of tracing, and take the locks
 * that keep recordings apart
 */
#ifndef _RECORD_SKB_TRACER_USERS_H
#define _RECORD_SKB_TRACER_USERS_H

#include <stdbool.h>

#include "err.h"
#include "text.h"

/**
 * tracing_find - find tracefs; if tracefs is not mounted, mount it as trace-cmd does
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int tracing_find(struct err *err);

/* Check that the kernel has the tracer function_graph. Returns 0 or -1. */
int tracing_check_tracer(struct err *err);

/* Check that the top tracing instance has no tracer. Returns 0, or -1 with the name of the tracer in @err. */
int tracing_check_free(struct err *err);

/* Return the number of unread entries in the buffer of the top tracing instance. */
unsigned long long tracing_unread(void);

/*
 * Find an event that has a trigger. Return the path of its trigger file, to be freed; NULL if no event has a
 * trigger.
 */
char *tracing_trigger(void);

/*
 * Find a tracing instance of another user with the tracer function_graph. Return its name, to be freed; NULL
 * if no such instance exists. During a recording, such an instance would see only functions below the gate,
 * because all instances share set_graph_function.
 */
char *tracing_graph_instance(void);

/* Return true if the function profiler is on. Since Linux 6.11, it can be on while function_graph is used. */
bool tracing_profiles(void);

/*
 * Check that the recording may change set_graph_function. Returns -1 if a tracing instance uses
 * function_graph, and a change of set_graph_function could therefore crash this kernel. Otherwise returns 0.
 */
int tracing_check_graph_race(int session, struct err *err);

/*
 * Append the names of all functions that a user of ftrace redirects to @redirected. ftrace allows only one
 * such user for each function.
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
 * Remove from @redirected all functions that no live patch redirects. These functions are probe points of
 * another shared recording, and this recording can probe them, too.
 */
void ipmodify_users_keep_patched(struct strings *redirected);

/*
 * Find a function in @functions that has a direct call and is not redirected. Return its name, to be freed;
 * NULL if no such function exists. ftrace calls BPF programs of the kinds fentry and fexit by a direct call.
 *
 * Such a function is a problem for a second shared recording: its probe points are added to an ftrace_ops
 * that is registered already, but ftrace tells BPF about a redirection only when an ftrace_ops is registered.
 */
char *direct_call_user(const struct strings *functions);

/*
 * Find another user that traces returns of functions by fprobe (BPF's kretprobe-multi, or an fprobe event).
 * Return the name of one of the traced functions, to be freed; NULL if the kernel shows no such user. The
 * kernel does not show a user if each of its functions has another user of ftrace, too.
 */
char *fprobe_users_find(void);

/*
 * Recordings use two locks. The first lock is held from the start of a recording until everything is
 * restored: exclusively by an exclusive recording, or jointly by all shared recordings. The second lock
 * protects the settings that shared recordings have in common. One shared recording at a time holds the
 * second lock, for a short time.
 */

/**
 * lock_take - take the first lock, for an exclusive recording
 * @err: set to a message that names the other recording
 *
 * This function waits for the watchdog of a killed recorder, which holds the lock for a moment. It does not
 * wait for the end of another recording. Returns a file descriptor, closed on exec; closing it releases the
 * lock. Returns -1 on failure.
 */
int lock_take(struct err *err);

/**
 * lock_join - take the first lock, for a shared recording
 * @instances: set to a file descriptor of the directory of tracing instances, closed on exec; the
 *	caller has to close it if it is not -1
 * @brief: set to a file descriptor that holds the second lock, too; the caller should close it soon
 * @first: set to true if no other shared recording is running
 * @err: set to a message that names the exclusive recording
 *
 * Returns a file descriptor, closed on exec; closing it releases the lock. Returns -1 on failure.
 */
int lock_join(int *instances, int *brief, bool *first, struct err *err);

/*
 * Take only the second lock, which protects the settings that shared recordings have in common. Returns a
 * file descriptor, closed on exec, which the caller should close soon; or -1.
 */
int lock_brief(int instances, struct err *err);

/*
 * Find out if no other shared recording is running: try to make @lock, from lock_join(), exclusive. Return
 * true if this succeeds. Then no shared recording can start until @lock is closed. The caller must hold the
 * second lock; see lock_brief().
 */
bool lock_is_last(int lock);

#endif
