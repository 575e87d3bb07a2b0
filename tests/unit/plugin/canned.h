/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * canned.h - a trace that was never recorded
 *
 * A test writes rows one after the other, as a kernel of the wanted word size and byte order would,
 * and gets back what a report of them prints. The formats are written from the same tables as the
 * bytes, so that a field can be left out, cut off or added.
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

/* What the traced machine and its module are like. */
struct canned_machine {
	int long_size; /* 8 or 4; 0 is 8 */
	bool big_endian;
	bool no_gate_name;	      /* kallsyms was saved when the module had gone */
	const char *without_field;    /* record_skb events lack this field */
	const char *odd_field;	      /* this one is of a size that no number has */
	bool extra_field;	      /* record_skb events have one more, before the others */
	unsigned int without_events;  /* 1 << canned_event: no such format in the trace */
	unsigned int nohandle_events; /* as trace-cmd report -n does it */
};

struct canned_flow {
	int family;
	int sa_family; /* in the addresses; 0: the same */
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
	bool hidden; /* the report leaves it out */
	int cut;     /* bytes missing at its end */
	bool was_read;
	void *buffer; /* an instance of its own */
	struct tep_record record;
	char data[256];
};

#define CANNED_ROWS 512

struct canned_trace {
	struct canned_machine machine;
	int cpu, pid; /* of the rows written next */
	void *buffer;
	int copy;      /* which of a packet's skbs they are about */
	int recording; /* its number, if there are others */
	uint64_t ts;
	uint64_t offset; /* in the file */
	int nr;
	struct canned_row rows[CANNED_ROWS];
};

/* Addresses of functions that have a name in every canned trace. */
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

/* Each writes a row of the trace's current cpu and pid and returns it, to be spoilt by the test. */
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
/* Of the trace's copy: it is made from another, and it ends. */
struct canned_row *copied(struct canned_trace *t, int pkt, int from, int kind, uint64_t func);
struct canned_row *ends(struct canned_trace *t, int pkt);
struct canned_row *sched(struct canned_trace *t, int what, int task, int switches);
struct canned_row *foreign(struct canned_trace *t);

/**
 * canned_report - print the trace as trace-cmd report does
 * @trace: the rows, printed in their order
 * @plugin: load the plugin
 * @as_trace_cmd: the stand-in for libtracecmd answers the plugin, as in trace-cmd
 *
 * The stand-in for trace-cmd's own handlers prints the function graph.
 * Returns a string to free: a line "pid: text" for each row.
 */
char *canned_report(struct canned_trace *trace, bool plugin, bool as_trace_cmd);

/* The opening of a trace, for tests of more than one: returns the tep with all formats parsed. */
struct tep_handle *canned_open(const struct canned_machine *machine, bool plugin,
			       struct tep_plugin_list **list);
void canned_close(struct tep_handle *tep, struct tep_plugin_list *list);
/* Make each row's record; its data of its own size, so that the sanitizer sees who reads behind it. */
void canned_own_data(struct canned_trace *trace);
void canned_free_data(struct canned_trace *trace);
/* Print rows with a handle from canned_open(). */
void canned_print(struct canned_trace *trace, struct tep_handle *tep, bool as_trace_cmd, FILE *out);

#endif /* _TEST_PLUGIN_CANNED_H */
