/* SPDX-License-Identifier: GPL-2.0 */
/*
 * instances.h - create and remove tracing instances, and change in a private mount namespace which files of
 * tracefs trace-cmd sees
 */
#ifndef _RECORD_SKB_INSTANCES_H
#define _RECORD_SKB_INSTANCES_H

#include <stdbool.h>

#include "err.h"
#include "text.h"
#include "record_options.h"

/* Make later mounts of this process invisible in other mount namespaces. Returns 0, or -1 with errno. */
int mounts_keep_to_us(void);

/*
 * Append all mount points of tracefs to @places. All are needed, because trace-cmd may use another mount
 * point than this program.
 */
void mounts_of_tracefs(struct strings *places);

/* Bind-mount the file or directory @from on @to. Returns 0, or -1 with errno. */
int mounts_bind(const char *from, const char *to);

/*
 * Hide the directory @dir: mount an empty directory on it that only root can use. Returns 0, or -1 with
 * errno.
 */
int mounts_empty(const char *dir);

/*
 * Number of open files in struct home: the mount namespace, the root directory (which may differ after
 * chroot), and the working directory.
 */
#define HOME_FILES 3

/**
 * struct home - mount namespace and directories of the process that called record-skb
 * @fds: file descriptors of the namespace and the directories, closed on exec; -1 if they could not be
 *	opened
 *
 * A PID of the caller would not suffice, because the caller may exit or change its namespace.
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
 * Let this process return to the mount namespace and the directories of @home. If the process is still in
 * that namespace, do nothing. Returns 0, or -1 with errno.
 */
int home_return(const struct home *home);

/*
 * If @pass is true, keep the files of @home open in a program that this process executes. Otherwise, close
 * them on exec.
 */
void home_pass(const struct home *home, bool pass);

/*
 * Return @what, such as RECORD_SKB_GATE, with the number of a shared recording appended, to be freed. If the
 * recording is not shared, @recording is 0, and no number is appended.
 */
char *recording_name(const char *what, unsigned int recording);

/*
 * Return true if @function is a gate of the module (RECORD_SKB_GATE or RECORD_SKB_HIDE) for a shared
 * recording other than @recording.
 */
bool is_gate_of_others(const char *function, unsigned int recording);

/* Return true if @name is the name of a tracing instance that a shared recording has created. */
bool instance_is_shared(const char *name);

/*
 * Create the tracing instance @name, or write @value to a file of the instance. @instances is the directory
 * of all instances. Returns 0 or a negative errno.
 */
int instance_make(int instances, const char *name);
int instance_set(int instances, const char *name, const char *file, const char *value);

/*
 * Remove the tracing instance @name and its buffers. Returns 0 or a negative errno. A missing instance is not
 * an error.
 */
int instance_remove(int instances, const char *name);

/**
 * instance_overlay_show - let this process and its children see a tracing instance in place of the top
 * instance
 * @instance: name of the instance
 * @err: set to the reason on failure
 *
 * The function enters a private mount namespace and mounts the files of the instance over those of the top
 * instance. Files that instances do not have, such as available_filter_functions and kprobe_events, remain.
 * set_graph_function and set_graph_notrace are also files that instances do not have. They are hidden,
 * because trace-cmd would clear the settings of other users there. Other instances are hidden as well.
 * Returns 0 or -1.
 */
int instance_overlay_show(const char *instance, struct err *err);

/*
 * Keep this process and its children from changing set_graph_function and set_graph_notrace. trace-cmd clears
 * both files when it ends. On some kernels, this must not happen while another instance uses function_graph
 * (see function_filters.h). Call this function in a private mount namespace. Returns 0 or -1.
 */
int instance_overlay_keep_lists(void);

/*
 * Before and after a recording, trace-cmd removes the filters of all event systems, one by one. The kernel
 * has about a hundred event systems, and waits for an RCU grace period for each of them, which takes seconds
 * in total. trace-cmd has no option to avoid this. Therefore trace-cmd runs in a mount namespace in which
 * events/ contains only the systems that the recording needs.
 */

/*
 * Return true if the event systems that this recording does not need can be hidden from trace-cmd. This is
 * the case if the user has not asked for other events, and if the mounts are possible on this machine.
 */
bool own_events_will_do(const struct options *o);

/*
 * Hide the event systems that this recording does not need. Call this function in the process that will
 * execute trace-cmd, after the process has entered a private mount namespace. Returns 0 or -1.
 */
int own_events_show(void);

/*
 * fgraph has 16 slots for its users, and assigns them in turn. On some kernels, the user in slot 0 also
 * receives returns of functions that only other users trace. Therefore the tracer of a recording must not get
 * slot 0.
 *
 * Before the recording sets its tracer, a tracing instance sets and removes a tracer until this instance or
 * another user has slot 0. The instance keeps slot 0 until the recording's tracer is on.
 */

/**
 * fgraph_slot0_take - make sure that slot 0 of fgraph is in use
 * @instances: file descriptor of the directory of tracing instances
 * @name: name of a tracing instance; it is created to occupy slot 0 if the slot is free
 * @function: name of the only function that this instance traces
 * @session: file descriptor from session_open()
 * @err: set to the reason on failure
 *
 * The caller must hold a lock that keeps other recordings from calling this function. Returns 0 or -1.
 */
int fgraph_slot0_take(int instances, const char *name, const char *function, int session,
		      struct err *err);

/* Remove the tracing instance that fgraph_slot0_take() has created, if it exists. */
void fgraph_slot0_release(int instances, const char *name);

#endif
