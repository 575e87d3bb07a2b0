/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * report_host.h - which program has loaded the plugin, and which rows it does not show us
 *
 * A handler of libtraceevent sees the rows that are printed and no other. What else there is,
 * only the program knows that reads the file.
 */
#ifndef _RECORD_SKB_REPORT_HOST_H
#define _RECORD_SKB_REPORT_HOST_H

#include <stdbool.h>
#include <event-parse.h>

/* What the rows that we see are of those in the trace. */
enum report_view {
	REPORT_ALL_ROWS,  /* all, or all of a task, or all of a context */
	REPORT_SOME_CPUS, /* all of a CPU: complete for its idle task only */
	REPORT_SOME_ROWS, /* a filter's choice: complete for nobody */
};

/**
 * report_host_is_kernelshark - whether rows come in any order and from several threads
 */
bool report_host_is_kernelshark(void);

/**
 * report_host_view - what this process's command line leaves out
 *
 * Knows the options of trace-cmd report; any other program shows all rows.
 */
enum report_view report_host_view(void);

/**
 * report_view_of_args - what a command line leaves out
 * @args: its NUL-terminated words, one after the other, the program's name first
 * @len: bytes in @args
 */
enum report_view report_view_of_args(const char *args, size_t len);

/**
 * report_host_buffer - the trace buffer the row at hand is from
 *
 * Returns something to compare, NULL if the program does not tell.
 */
void *report_host_buffer(void);

/**
 * struct report_loss_follower - who wants to know of lost rows
 * @lost: called before the first row after the loss, whether that row is shown or not
 * @data: handed to it
 */
struct report_loss_follower {
	void (*lost)(void *buffer, int cpu, void *data);
	void *data;
};

/**
 * report_host_follow_loss - be told of lost rows, shown or not
 * @buffer: from report_host_buffer(); NULL is allowed and never tells anything
 * @follower: has to stay for as long as the buffer is read
 */
void report_host_follow_loss(void *buffer, struct report_loss_follower *follower);

/* What report_host_look_ahead() found. */
struct report_ahead {
	bool loss_here;		       /* rows are missing before the next one of this CPU */
	bool loss_elsewhere;	       /* before the next one of another, so maybe by now */
	const struct tep_record *next; /* the next row of all, NULL if not known */
	int next_cpu;
};

/**
 * report_host_look_ahead - the rows that come next on each CPU
 * @buffer: from report_host_buffer()
 * @record: the row at hand
 * @ahead: filled in
 */
void report_host_look_ahead(void *buffer, const struct tep_record *record,
			    struct report_ahead *ahead);

/**
 * report_host_was_read - whether somebody has read the row since
 * @buffer: from report_host_buffer()
 * @ahead: from report_host_look_ahead(); its @next is not valid any more if this returns true
 */
bool report_host_was_read(void *buffer, const struct report_ahead *ahead);

#endif /* _RECORD_SKB_REPORT_HOST_H */
