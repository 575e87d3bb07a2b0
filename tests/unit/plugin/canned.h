/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * canned.h - a "canned" trace. No kernel has recorded such a trace: a test writes it.
 *
 * A test writes one row after another, in the format of a kernel with a given word size and byte order.
 * Then the test gets the text of a report about these rows. The formats and the bytes are made from the
 * same tables, so a test can leave out, truncate or add a field.
 */
#ifndef _TEST_PLUGIN_CANNED_H
#define _TEST_PLUGIN_CANNED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <event-parse.h>

/* clang-format off */
enum canned_event {
	EV_ENTRY, EV_RETADDR_ENTRY, EV_EXIT, EV_PACKET, EV_OTHER, EV_CALL, EV_RETURN,
	EV_DROP, EV_FOREIGN, EV_COPY, EV_END, EV_SCHED,
	CANNED_EVENTS,
};
/* clang-format on */

/* Properties of the traced machine and of the module on it. */
struct canned_machine {
	int long_size; /* 8 or 4; 0 means 8 */
	bool big_endian;
	bool no_gate_name;	     /* kallsyms was saved after unloading the module */
	const char *without_field;   /* record_skb events lack this field */
	const char *odd_field;	     /* this field has a size that no integer has */
	bool extra_field;	     /* record_skb events begin with an additional field */
	unsigned int without_events; /* 1 << canned_event: events without a format */
	unsigned int
		nohandle_events; /* 1 << canned_event: events without a handler (trace-cmd report -n) */
};

struct canned_flow {
	int family;
	int sa_family; /* address family in the records; 0 selects that of this machine */
	int proto;
	const char *saddr;
	int sport;
	const char *daddr;
	int dport;
	int icmp_type, icmp_code, icmp_id;
	int ethertype;
};

struct canned_row {
	enum canned_event event;
	int cpu;
	int pid;
	uint64_t ts;
	long long missed_events;
	bool hidden; /* the report does not show the row */
	int cut;     /* number of bytes missing at the end of the record */
	bool was_read;
	void *buffer; /* trace buffer of the row; each instance has its own */
	struct tep_record record;
	char data[256];
};

#define CANNED_ROWS 512

struct canned_trace {
	struct canned_machine machine;
	int cpu, pid; /* CPU and task of the next rows */
	void *buffer;
	int copy;      /* number of the copy in the next rows */
	int recording; /* number of a shared recording */
	int overrun;   /* number of calls without a row up to the next exit row */
	uint64_t ts;
	uint64_t offset; /* offset of the next row in the file */
	int nr;
	struct canned_row rows[CANNED_ROWS];
};

/* Addresses of functions that have a name in each canned trace. */
enum {
	GATE = 0x1000,
	IP_RCV = 0x2000,
	TCP_RCV = 0x3000,
	IP_OUTPUT = 0x4000,
	KFREE = 0x5000,
	SENDMSG = 0x6000,
	SOFTIRQ = 0x7000,
	SCHEDULE = 0x8000
};

struct canned_trace *canned_new(const struct canned_machine *machine);
void canned_free(struct canned_trace *trace);

/*
 * Each of these functions writes a row. The row has the current CPU and PID of the trace. Return: the row,
 * which the test may change.
 */
struct canned_row *enter(struct canned_trace *t, int depth, uint64_t func);
struct canned_row *leave(struct canned_trace *t, int depth, uint64_t func);
void leaf(struct canned_trace *t, int depth, uint64_t func);
struct canned_row *packet(struct canned_trace *t, int pkt, int how, uint64_t func,
			  const struct canned_flow *flow);
struct canned_row *call(struct canned_trace *t, int how, uint64_t func,
			const struct canned_flow *flow);
struct canned_row *other(struct canned_trace *t, uint64_t func);
struct canned_row *returns(struct canned_trace *t, int pkt, uint64_t func, long ret);
struct canned_row *drop(struct canned_trace *t, int pkt, int reason, uint64_t place);
/*
 * copied() writes a row that says: the current copy was made from copy @from. ends() writes a row that
 * says: the current copy ends.
 */
struct canned_row *copied(struct canned_trace *t, int pkt, int from, int kind, uint64_t func);
struct canned_row *ends(struct canned_trace *t, int pkt);
struct canned_row *sched(struct canned_trace *t, int what, int task, int switches);
struct canned_row *foreign(struct canned_trace *t);

/**
 * canned_report - print the trace as trace-cmd report does
 * @trace: the rows, which are printed in their order
 * @plugin: true to load the plugin
 * @as_trace_cmd: true if the plugin can use the functions of libtracecmd, as in trace-cmd
 *
 * Stand-ins for trace-cmd's handlers print the function graph.
 *
 * Return: a text with a line "pid: text" for each row. The caller must free it.
 */
char *canned_report(struct canned_trace *trace, bool plugin, bool as_trace_cmd);

/* Open a trace, for tests with several traces. Return: a handle with all formats. */
struct tep_handle *canned_open(const struct canned_machine *machine, bool plugin,
			       struct tep_plugin_list **list);
void canned_close(struct tep_handle *tep, struct tep_plugin_list *list);
/*
 * Move the data of each row into its own allocation, so that the sanitizer finds reads beyond the end of the
 * data.
 */
void canned_own_data(struct canned_trace *trace);
void canned_free_data(struct canned_trace *trace);
/* Print the rows to @out, with a handle from canned_open(). */
void canned_print(struct canned_trace *trace, struct tep_handle *tep, bool as_trace_cmd, FILE *out);

#endif /* _TEST_PLUGIN_CANNED_H */
