/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * report_host.h - detect the program that loaded the plugin, and the rows that it does not show
 *
 * A handler of libtraceevent sees only the rows that are printed. This interface asks the program that reads
 * the file about the other rows.
 */
#ifndef _RECORD_SKB_REPORT_HOST_H
#define _RECORD_SKB_REPORT_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

/* The rows that are visible to the plugin. */
enum report_view {
	REPORT_ALL_ROWS, /* all rows of each task that is shown */
	/* all rows of some CPUs: complete only for the idle tasks of these CPUs */
	REPORT_SOME_CPUS,
	REPORT_SOME_ROWS, /* the rows that match a filter: incomplete for every task */
};

/**
 * report_host_is_kernelshark - detect KernelShark
 *
 * Return: true if rows are read in any order and by several threads.
 */
bool report_host_is_kernelshark(void);

/**
 * report_host_view - find out which rows this process shows
 *
 * This function parses the command line if the program is trace-cmd report. Any other program shows all rows.
 */
enum report_view report_host_view(void);

/**
 * report_view_of_args - find out which rows a command line selects
 * @args: NUL-terminated words, as in /proc/PID/cmdline
 * @len: bytes in @args
 */
enum report_view report_view_of_args(const char *args, size_t len);

/**
 * report_host_buffer - identify the trace buffer of the current row
 *
 * Return: a pointer that identifies the buffer and is only compared; NULL if the program does not report the
 * buffer.
 */
void *report_host_buffer(void);

/**
 * struct report_loss_follower - callback for lost rows
 * @lost: called before the first row after the loss, even if that row is not shown
 * @data: argument of the callback
 */
struct report_loss_follower {
	void (*lost)(void *buffer, int cpu, void *data);
	void *data;
};

/**
 * report_host_follow_loss - register a callback for lost rows
 * @buffer: from report_host_buffer(); NULL has no effect
 * @follower: must stay valid while the buffer is read
 */
void report_host_follow_loss(void *buffer, struct report_loss_follower *follower);

/* The result of report_host_look_ahead(). */
struct report_ahead {
	bool loss_here;	     /* rows are missing before the next row of this CPU */
	bool loss_elsewhere; /* rows are missing before the next row of another CPU */
	int next_cpu; /* CPU of the earliest next row of all CPUs, -1 if this row is unknown */
	uint64_t next_ts;
	uint64_t next_offset; /* offset of this row in the file */
};

/**
 * report_host_look_ahead - examine the next row of each CPU
 * @buffer: from report_host_buffer()
 * @record: the current row
 * @ahead: receives the result
 *
 * Return: the earliest next row of all CPUs; NULL if this row is unknown. The caller must not use the record
 * after a handler of the program was called, because the handler may have read and freed the record.
 */
const struct tep_record *report_host_look_ahead(void *buffer, const struct tep_record *record,
						struct report_ahead *ahead);

/**
 * report_host_was_read - check if the program has consumed the next row
 * @buffer: from report_host_buffer()
 * @ahead: from report_host_look_ahead()
 *
 * Return: true if the row that report_host_look_ahead() has returned was consumed.
 */
bool report_host_was_read(void *buffer, const struct report_ahead *ahead);

#endif /* _RECORD_SKB_REPORT_HOST_H */
