/* SPDX-License-Identifier: GPL-2.0 */
/* module_client.h - set up the module over its device file, and tell it what to restore */
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
 * @err: set to the reason on failure; if another recording is running, this names its process
 *
 * The module must be loaded. Returns a file descriptor that is closed on exec, or -1. Closing it disarms the
 * module and ends the session.
 */
int session_open(unsigned int *recording, struct err *err);

/* Return true if slot 0 of fgraph is in use or if this is unknown; see RECORD_SKB_GET_SLOT0. */
bool session_slot0_taken(int session);

/* Return true if fprobe has slot 0 of fgraph. The kernel then prints warnings during a recording. */
bool session_slot0_is_fprobe(int session);

/* Return true if other shared recordings are running at the same time as this session. */
bool session_is_beside(int session);

/*
 * Check if a recording is running. Returns 0 if none is running or the module is not loaded; or -1, and @err
 * names the process of the recording.
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
 * session_function - get the address of a function that the module attaches to while it is armed
 * @session: from session_open()
 * @function: its member index is the input, from 0; the address is filled in
 *
 * Returns 0 or a negative errno; record_skb.h explains its values for this call.
 */
int session_function(int session, struct record_skb_function *function);

/*
 * Pass the module the addresses of functions that it will probe, so that it need not look them up by name.
 * Returns 0 or a negative errno.
 */
int session_set_addresses(int session, const struct record_skb_addresses *addresses);

/* Set the functions that the module traces on behalf of function_graph. Returns 0 or a negative errno. */
int session_set_graph(int session, const struct record_skb_graph *graph);

/* Write the symbol at @address to @text, in the format of struct record_skb_symbol. Returns 0 or -1. */
int session_symbol(int session, unsigned long long address, char *text);

/*
 * Pass the module the list of settings that it restores when the session is closed. Returns 0 or a negative
 * errno.
 */
int session_set_restore(int session, const struct record_skb_restore *restore);

/*
 * Tell the module about a process that has to exit before the module restores the settings. @pid 0 is this
 * process. @signal is the signal of struct record_skb_process. Returns 0 or a negative errno.
 */
int session_add_process(int session, pid_t pid, int signal);

/*
 * Get a network namespace in which packets were seen, or set its name; see struct record_skb_netns. Returns 0
 * or a negative errno. poll() reports a session as readable if there are new namespaces.
 */
int session_get_netns(int session, struct record_skb_netns *netns);
int session_name_netns(int session, const struct record_skb_netns *netns);

/* Return true if this kernel can crash when set_graph_function changes while function_graph is in use. */
bool session_graph_race(int session);

/* Return true if the module is still restoring settings of a recording that was killed. */
bool session_is_restoring(void);

/* struct restore_list - settings, in the order in which they are to be restored */
struct restore_list {
	struct record_skb_setting *v;
	size_t n;
};

/*
 * Append a file to the list if it exists. Its name @file is relative to tracefs, or to the directory @dir.
 * @text is the text that the module has to write to the file; @flags are RECORD_SKB_SETTING_*.
 */
void restore_list_add(struct restore_list *list, const char *file, const char *text,
		      unsigned int flags);
void restore_list_add_at(struct restore_list *list, int dir, const char *file, const char *text,
			 unsigned int flags);

/* Append a tracing instance to the list, to be removed by the module. */
void restore_list_add_instance(struct restore_list *list, const char *name);

/*
 * Pass the list to the module, and free it. @shared: true if the list is that of all shared recordings
 * together. Returns 0 or -1.
 */
int restore_list_set(struct restore_list *list, int session, bool shared, struct err *err);

/* Clear the module's list. Call this when all settings in it have been restored. */
void restore_list_forget(int session, bool shared);

#endif /* _RECORD_SKB_MODULE_CLIENT_H */
