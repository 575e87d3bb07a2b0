/* SPDX-License-Identifier: GPL-2.0 */
/*
 * module_client.h - talk to the module over its device file: set up a recording, and pass the settings to be
 * restored
 */
#ifndef _RECORD_SKB_MODULE_CLIENT_H
#define _RECORD_SKB_MODULE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "err.h"
#include "filter/filter_text.h"
#include "filter/compile_filter.h"
#include "record_skb.h"

/**
 * session_open - open a session of the module, and begin an exclusive or shared recording
 * @recording: set to the number of the shared recording; NULL to begin an exclusive recording
 * @err: set to the reason on failure; if another recording is running, the message names its process
 *
 * The module must be loaded. Returns a file descriptor, closed on exec, or -1. Closing it disarms the module
 * and ends the session.
 */
int session_open(unsigned int *recording, struct err *err);

/* Return true if slot 0 of fgraph is in use, or if this is unknown; see RECORD_SKB_GET_SLOT0. */
bool session_slot0_taken(int session);

/*
 * Return true if slot 0 of fgraph belongs to fprobe. In this case, the kernel prints warnings during a
 * recording.
 */
bool session_slot0_is_fprobe(int session);

/* Return true if another shared recording is running besides the one of this session. */
bool session_is_beside(int session);

/*
 * Check that no recording is running. Returns 0, also if the module is not loaded. If a recording is running,
 * returns -1, and @err names its process.
 */
int session_is_held(struct err *err);

/*
 * The functions below call an ioctl of the module. They return 0, or -1 with @err set, unless a comment says
 * otherwise.
 */
int session_set_filter(int session, const struct packet_filter *filter, const struct terms *terms,
		       const struct packet_filter *inner, struct err *err);
int session_set_options(int session, const struct record_skb_options *options, struct err *err);
int session_set_ring(int session, const struct record_skb_ring *ring,
		     const struct packet_filter *match, struct err *err);
int session_follow(int session, pid_t pid, struct err *err);
int session_arm(int session, struct err *err);
int session_disarm(int session, struct err *err);
int session_stats(int session, struct record_skb_stats *stats, struct err *err);

/**
 * session_add_point - add a probe point
 * @session: from session_open()
 * @point: the function to probe
 *
 * Returns 0 or a negative errno; record_skb.h explains its values for this call.
 */
int session_add_point(int session, const struct record_skb_point *point);

/**
 * session_function - get the address of a function that the module attaches to when it is armed
 * @session: from session_open()
 * @function: the member index, from 0, says which function; the member address is filled in
 *
 * Returns 0 or a negative errno; record_skb.h explains its values for this call.
 */
int session_function(int session, struct record_skb_function *function);

/*
 * Tell the module the addresses of functions that it will probe, so that the module need not look them up by
 * name. Returns 0 or a negative errno.
 */
int session_set_addresses(int session, const struct record_skb_addresses *addresses);

/* Set the functions that the module traces in place of function_graph. Returns 0 or a negative errno. */
int session_set_graph(int session, const struct record_skb_graph *graph);

/* Write the symbol at @address to @text, in the format of struct record_skb_symbol. Returns 0 or -1. */
int session_symbol(int session, unsigned long long address, char *text);

/*
 * Pass a list of settings to the module. If the session is closed before the list is cleared, the module
 * restores these settings. Returns 0 or a negative errno.
 */
int session_set_restore(int session, const struct record_skb_restore *restore);

/*
 * Register a process that has to exit before the module restores the settings. @pid: its PID; 0 for this
 * process. @signal: the signal of struct record_skb_process. Returns 0 or a negative errno.
 */
int session_add_process(int session, pid_t pid, int signal);

/*
 * Get a network namespace in which packets were seen, or give it a name; see struct record_skb_netns. If
 * there are new namespaces, poll() reports the session as readable. The functions return 0 or a negative
 * errno.
 */
int session_get_netns(int session, struct record_skb_netns *netns);
int session_name_netns(int session, const struct record_skb_netns *netns);

/* Return true if the module can pass calls of functions to function_graph (RECORD_SKB_FUNCTION_ALONE). */
bool session_graph_takes_calls(int session);

/* Return true if a change of set_graph_function while function_graph is in use can crash this kernel. */
bool session_graph_race(int session);

/* Return true if the module is still restoring settings of a recording that was killed. */
bool session_is_restoring(void);

/* struct restore_list - a list of settings for the module, in the order in which it restores them */
struct restore_list {
	struct record_skb_setting *v;
	size_t n;
};

/*
 * Append a file to the list, if the file exists. @file: its name relative to tracefs, or to the directory
 * @dir. @text: what the module has to write to the file. @flags: RECORD_SKB_SETTING_*.
 */
void restore_list_add(struct restore_list *list, const char *file, const char *text,
		      unsigned int flags);
void restore_list_add_at(struct restore_list *list, int dir, const char *file, const char *text,
			 unsigned int flags);

/* Append a tracing instance to the list. The module removes it when it restores the settings. */
void restore_list_add_instance(struct restore_list *list, const char *name);

/*
 * Pass the list to the module, and free it. @shared: true for the one list of all shared recordings together,
 * and false for the list of this recording. Returns 0 or -1.
 */
int restore_list_set(struct restore_list *list, int session, bool shared, struct err *err);

/* Clear the list in the module. Call this function when all settings in the list have been restored. */
void restore_list_forget(int session, bool shared);

#endif /* _RECORD_SKB_MODULE_CLIENT_H */
