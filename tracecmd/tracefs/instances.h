/* SPDX-License-Identifier: GPL-2.0 */
/*
 * instances.h - create and remove tracing instances, and give trace-cmd its own view of tracefs in a
 * private mount namespace
 */
#ifndef _RECORD_SKB_INSTANCES_H
#define _RECORD_SKB_INSTANCES_H

#include <stdbool.h>

#include "err.h"
#include "text.h"
#include "record_options.h"

/* Make later mounts of this process invisible to other namespaces. Returns 0, or -1 with errno. */
int mounts_keep_to_us(void);

/* Append all mount points of tracefs to @places, because trace-cmd may use another one than this program. */
void mounts_of_tracefs(struct strings *places);

/* Bind-mount the file or directory @from on @to. Returns 0, or -1 with errno. */
int mounts_bind(const char *from, const char *to);

/*
 * Hide the directory @dir: mount an empty directory on it that only root can use. Returns 0, or -1 with
 * errno.
 */
int mounts_empty(const char *dir);

/*
 * Number of files of struct home: mount namespace, root directory (which can be changed by chroot), and
 * working directory.
 */
#define HOME_FILES 3

/**
 * struct home - mount namespace and directories of the caller of record-skb
 * @fds: file descriptors, closed on exec; -1 if they could not be opened
 *
 * They are stored as open files and not as the caller's PID, because the caller may exit or change its
 * namespace.
 */
struct home {
	int fds[HOME_FILES];
};

#define NO_HOME                       \
	{                             \
		.fds = { -1, -1, -1 } \
	}

/* Fill in @home with the namespace and directories of this process. Returns 0 or -1. */
int home_open(struct home *home, struct err *err);
void home_close(struct home *home);

/*
 * Let this process return to the namespace and directories in @home, unless it is still in that namespace.
 * Returns 0, or -1 with errno.
 */
int home_return(const struct home *home);

/* Choose if the files of @home stay open in a program that this process executes. */
void home_pass(const struct home *home, bool pass);

/*
 * Return @what, such as RECORD_SKB_GATE, followed by the number of a shared recording, to be freed. If
 * @recording is 0, the name is @what without a number.
 */
char *recording_name(const char *what, unsigned int recording);

/*
 * Return true if @function is a gate (RECORD_SKB_GATE or RECORD_SKB_HIDE) of another recording than
 * @recording.
 */
bool is_gate_of_others(const char *function, unsigned int recording);

/* Return true if the tracing instance @name was created by a shared recording. */
bool instance_is_shared(const char *name);

/*
 * Create the instance @name, or write @value to a file of it. @instances is the directory of tracing
 * instances. Returns 0 or a negative errno.
 */
int instance_make(int instances, const char *name);
int instance_set(int instances, const char *name, const char *file, const char *value);

/* Remove the instance and its buffers. Returns 0 or a negative errno; a missing instance is not an error. */
int instance_remove(int instances, const char *name);

/**
 * instance_overlay_show - let this process and its children see an instance in place of the top instance
 * @instance: name of the instance
 * @err: set to the reason on failure
 *
 * Call this in a private mount namespace. The files of the instance are mounted over those of the top
 * instance. Files that instances do not have, such as available_filter_functions and kprobe_events, remain.
 * set_graph_function and set_graph_notrace also exist only once for the whole kernel. They are hidden,
 * because trace-cmd would clear the settings of other users there. Other instances are hidden as well.
 * Returns 0 or -1.
 */
int instance_overlay_show(const char *instance, struct err *err);

/*
 * Keep this process and its children from changing set_graph_function and set_graph_notrace. trace-cmd clears
 * both files when it ends, and on some kernels this must not happen while another instance uses
 * function_graph (see function_filters.h). Call this in a private mount namespace. Returns 0 or -1.
 */
int instance_overlay_keep_lists(void);

/*
 * Before and after a recording, trace-cmd removes the filters of all event systems, one by one. For each of
 * about a hundred systems the kernel waits for an RCU grace period, which takes seconds in total. trace-cmd
 * has no option to avoid this. Therefore it runs in a mount namespace in which events/ contains only the
 * systems that it needs.
 */

/*
 * Return true if the other event systems can be hidden from trace-cmd: the user has not asked for other
 * events, and the mounts are possible on this machine.
 */
bool own_events_will_do(const struct options *o);

/*
 * Hide the other event systems. Call this in the process that will execute trace-cmd, after it has entered a
 * private mount namespace. Returns 0 or -1.
 */
int own_events_show(void);

/*
 * fgraph has 16 slots for its users, and assigns them in turn. On some kernels, the user in slot 0 also
 * receives returns of functions that only other users trace. So the tracer of a recording must not get slot
 * 0. Therefore another instance first sets and removes its tracer, until this instance or another user has
 * slot 0. The instance then keeps slot 0 until the recording's tracer is on.
 */

/**
 * fgraph_slot0_take - make sure that slot 0 of fgraph is in use
 * @instances: file descriptor of the directory of tracing instances
 * @name: name of the instance that is created to occupy slot 0 if it is free
 * @function: name of the only function that this instance traces
 * @session: file descriptor from session_open()
 * @err: set to the reason on failure
 *
 * The caller must hold a lock that keeps other recordings from doing the same. Returns 0 or -1.
 */
int fgraph_slot0_take(int instances, const char *name, const char *function, int session,
		      struct err *err);

/* Remove the instance that occupies slot 0, if it exists. */
void fgraph_slot0_release(int instances, const char *name);

#endif
