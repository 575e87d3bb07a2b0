// SPDX-License-Identifier: LGPL-2.1
/*
 * canned.c - the formats and the bytes of a "canned" trace. No kernel has recorded such a trace: a test
 * writes it.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "canned.h"
#include "trace_cmd_standin.h"

enum { LONG = -1 }; /* stands for the size of the type long on the traced machine */

struct field {
	const char *decl;
	const char *name;
	int size;
	int array;
};

struct format {
	const char *system;
	const char *name;
	struct field fields[24];
};

#define ADDR_LEN 28

/* clang-format off */
static const struct format formats[CANNED_EVENTS] = {
	[EV_ENTRY] = { "ftrace", "funcgraph_entry", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "int depth", "depth", 4, 0 },
	} },
	[EV_RETADDR_ENTRY] = { "ftrace", "fgraph_retaddr_entry", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "unsigned int depth", "depth", 4, 0 },
		{ "unsigned long retaddr", "retaddr", LONG, 0 },
	} },
	[EV_EXIT] = { "ftrace", "funcgraph_exit", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "int depth", "depth", 4, 0 },
		{ "unsigned int overrun", "overrun", 4, 0 },
		{ "unsigned long long calltime", "calltime", 8, 0 },
		{ "unsigned long long rettime", "rettime", 8, 0 },
	} },
	[EV_PACKET] = { "record_skb", "packet", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "unsigned long skb", "skb", LONG, 0 },
		{ "u32 pkt", "pkt", 4, 0 },
		{ "u32 flow", "flow", 4, 0 },
		{ "u8 how", "how", 1, 0 },
		{ "u8 recording", "recording", 1, 0 },
		{ "u8 dir", "dir", 1, 0 },
		{ "u8 family", "family", 1, 0 },
		{ "u8 proto", "proto", 1, 0 },
		{ "u8 saddr[28]", "saddr", ADDR_LEN, 1 },
		{ "u8 daddr[28]", "daddr", ADDR_LEN, 1 },
		{ "u8 icmp_type", "icmp_type", 1, 0 },
		{ "u8 icmp_code", "icmp_code", 1, 0 },
		{ "u16 icmp_id", "icmp_id", 2, 0 },
		{ "u16 ethertype", "ethertype", 2, 0 },
		{ "u8 tcp_flags", "tcp_flags", 1, 0 },
		{ "u32 len", "len", 4, 0 },
		{ "char dev[16]", "dev", 16, 1 },
		{ "u32 netns", "netns", 4, 0 },
		{ "u32 copy", "copy", 4, 0 },
		{ "__data_loc u8[] data", "data", 4, 0 },
	} },
	[EV_OTHER] = { "record_skb", "other", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "unsigned long skb", "skb", LONG, 0 },
	} },
	[EV_CALL] = { "record_skb", "call", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "u8 how", "how", 1, 0 },
		{ "u8 family", "family", 1, 0 },
		{ "u8 proto", "proto", 1, 0 },
		{ "u8 saddr[28]", "saddr", ADDR_LEN, 1 },
		{ "u8 daddr[28]", "daddr", ADDR_LEN, 1 },
	} },
	[EV_RETURN] = { "record_skb", "return", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "long ret", "ret", LONG, 0 },
		{ "u32 pkt", "pkt", 4, 0 },
	} },
	[EV_DROP] = { "record_skb", "drop", {
		{ "unsigned long location", "location", LONG, 0 },
		{ "u32 pkt", "pkt", 4, 0 },
		{ "u32 reason", "reason", 4, 0 },
		{ "char name[48]", "name", 48, 1 },
		{ "u32 copy", "copy", 4, 0 },
	} },
	[EV_COPY] = { "record_skb", "copy", {
		{ "unsigned long func", "func", LONG, 0 },
		{ "u32 pkt", "pkt", 4, 0 },
		{ "u32 copy", "copy", 4, 0 },
		{ "u32 from", "from", 4, 0 },
		{ "u8 kind", "kind", 1, 0 },
	} },
	[EV_END] = { "record_skb", "end", {
		{ "u32 pkt", "pkt", 4, 0 },
		{ "u32 copy", "copy", 4, 0 },
	} },
	[EV_SCHED] = { "record_skb", "sched", {
		{ "u8 what", "what", 1, 0 },
		{ "s32 task", "task", 4, 0 },
		{ "s32 other", "other", 4, 0 },
		{ "u32 switches", "switches", 4, 0 },
		{ "char name[16]", "name", 16, 1 },
		{ "char other_name[16]", "other_name", 16, 1 },
	} },
	[EV_FOREIGN] = { "sched", "sched_switch", {
		{ "int next_pid", "next_pid", 4, 0 },
	} },
};
/* clang-format on */

#define EV_ID(event) (10 + (event))

struct canned_trace *canned_new(const struct canned_machine *machine)
{
	struct canned_trace *trace = calloc(1, sizeof(*trace));

	assert(trace);
	if (machine)
		trace->machine = *machine;
	if (!trace->machine.long_size)
		trace->machine.long_size = 8;
	trace->pid = 100;
	trace->ts = 1000;
	return trace;
}

void canned_free(struct canned_trace *trace)
{
	free(trace);
}

/*
 * Call @callback for each field of the event. @callback also gets the offset of the field.
 *
 * Return: the size of the record.
 */
static int each_field(const struct canned_machine *machine, enum canned_event event,
		      void (*callback)(const struct field *field, int offset, int size, void *data),
		      void *data)
{
	static const struct field extra = { "u32 extra", "extra", 4, 0 };
	const struct format *format = &formats[event];
	bool ours = !strcmp(format->system, "record_skb");
	const struct field *field;
	int offset = 8;
	int size, align;

	if (ours && machine->extra_field) {
		callback(&extra, offset, 4, data);
		offset += 4;
	}
	for (field = format->fields; field->name; field++) {
		if (ours && machine->without_field && !strcmp(field->name, machine->without_field))
			continue;
		size = field->size == LONG ? machine->long_size : field->size;
		align = field->array || size > machine->long_size ? 1 : size;
		if (ours && machine->odd_field && !strcmp(field->name, machine->odd_field))
			size += 2;
		offset = (offset + align - 1) / align * align;
		callback(field, offset, size, data);
		offset += size;
	}
	return (offset + 3) / 4 * 4;
}

static void print_field(const struct field *field, int offset, int size, void *data)
{
	fprintf(data, "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:0;\n", field->decl, offset, size);
}

static void parse_formats(struct tep_handle *tep, const struct canned_machine *machine)
{
	enum canned_event event;
	char *text;
	size_t len;
	FILE *out;
	int err;

	for (event = 0; event < CANNED_EVENTS; event++) {
		if (machine->without_events & (1U << event))
			continue;
		out = open_memstream(&text, &len);
		assert(out);
		fprintf(out, "name: %s\nID: %d\nformat:\n", formats[event].name, EV_ID(event));
		fprintf(out, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
		each_field(machine, event, print_field, out);
		fprintf(out, "\nprint fmt: \"%s:%s\"\n", formats[event].system,
			formats[event].name);
		fclose(out);
		err = tep_parse_event(tep, text, len, formats[event].system);
		assert(!err);
		if (machine->nohandle_events & (1U << event))
			tep_find_event(tep, EV_ID(event))->flags |= TEP_EVENT_FL_NOHANDLE;
		free(text);
	}
}

struct tep_handle *canned_open(const struct canned_machine *machine, bool plugin,
			       struct tep_plugin_list **list)
{
	struct tep_handle *tep = tep_alloc();

	assert(tep);
	tep_set_local_bigendian(tep, TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(tep, machine->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, machine->long_size);
	tep_set_loglevel(TEP_LOG_ERROR);

	/*
	 * Register the handlers first, then load the plugins, and then parse the formats, as trace-cmd does.
	 */
	standin_register(tep, EV_ID(EV_EXIT));
	tep_set_flag(tep, TEP_DISABLE_SYS_PLUGINS);
	*list = plugin ? tep_load_plugins(tep) : NULL;
	assert(!plugin || *list);
	parse_formats(tep, machine);

	if (!machine->no_gate_name)
		tep_register_function(tep, "record_skb_gate", GATE, "record_skb");
	tep_register_function(tep, "ip_rcv", IP_RCV, NULL);
	tep_register_function(tep, "tcp_v4_rcv", TCP_RCV, NULL);
	tep_register_function(tep, "ip_output", IP_OUTPUT, NULL);
	tep_register_function(tep, "kfree", KFREE, NULL);
	tep_register_function(tep, "tcp_sendmsg", SENDMSG, NULL);
	tep_register_function(tep, "__do_softirq", SOFTIRQ, NULL);
	tep_register_function(tep, "schedule", SCHEDULE, NULL);
	tep_register_function(tep, "end_of_names", 0x9000, NULL);
	return tep;
}

void canned_close(struct tep_handle *tep, struct tep_plugin_list *list)
{
	if (list)
		tep_unload_plugins(list, tep);
	tep_free(tep);
}

/* The values for the fields of the current row. */
struct writing {
	struct canned_trace *trace;
	struct canned_row *row;
	uint64_t func, depth, pkt, how, ret, from, task, switches;
	const struct canned_flow *flow;
};

static void put(struct canned_trace *t, char *at, int size, uint64_t value)
{
	int i;

	for (i = 0; i < size; i++)
		at[t->machine.big_endian ? size - 1 - i : i] = value >> (8 * i);
}

static void put_sockaddr(struct writing *w, char *at, const char *addr, int port)
{
	if (!addr)
		return;
	put(w->trace, at, 2, w->flow->sa_family ? w->flow->sa_family : w->flow->family);
	at[2] = port >> 8;
	at[3] = port;
	assert(inet_pton(w->flow->family, addr, at + (w->flow->family == AF_INET ? 4 : 8)) == 1);
}

static void write_field(const struct field *field, int offset, int size, void *data)
{
	static const struct canned_flow none;
	struct writing *w = data;
	const struct canned_flow *flow = w->flow ? w->flow : &none;
	char *at = w->row->data + offset;
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{ "func", w->func },
		{ "depth", w->depth },
		{ "pkt", w->pkt },
		{ "how", w->how },
		{ "recording", w->trace->recording },
		{ "ret", w->ret },
		{ "family", flow->family },
		{ "proto", flow->proto },
		{ "icmp_type", flow->icmp_type },
		{ "icmp_code", flow->icmp_code },
		{ "icmp_id", flow->icmp_id },
		{ "ethertype", flow->ethertype },
		{ "skb", 0xfeed },
		{ "extra", 0xabadcafe },
		{ "location", w->func },
		{ "reason", w->how },
		{ "len", 60 },
		{ "flow", w->pkt },
		{ "dir", 1 + w->row->cpu % 2 },
		{ "netns", 4026531840 },
		{ "copy", w->trace->copy },
		{ "from", w->from },
		{ "kind", w->how },
		{ "what", w->how },
		{ "task", w->task },
		{ "other", w->row->pid },
		{ "switches", w->switches },
		{ "overrun", w->trace->overrun },
		{ "tcp_flags", 0x12 },
		{ "calltime", w->row->ts - 5 },
		{ "rettime", w->row->ts },
		/* This dynamic array has eight bytes, and begins at the first field. */
		{ "data", 8 << 16 | 8 },
	};
	size_t i;

	if (!strcmp(field->name, "saddr"))
		put_sockaddr(w, at, flow->saddr, flow->sport);
	if (!strcmp(field->name, "daddr"))
		put_sockaddr(w, at, flow->daddr, flow->dport);
	if (!strcmp(field->name, "dev"))
		snprintf(at, size, "eth%d", w->row->cpu);
	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (!strcmp(field->name, values[i].name))
			put(w->trace, at, size > 8 ? 8 : size, values[i].value);
	}
}

static struct canned_row *write_row(enum canned_event event, struct writing *w)
{
	struct canned_trace *t = w->trace;
	struct canned_row *row = &t->rows[t->nr++];

	assert(t->nr <= CANNED_ROWS);
	w->row = row;
	row->event = event;
	row->cpu = t->cpu;
	row->pid = t->pid;
	row->buffer = t->buffer;
	row->ts = t->ts += 10;
	t->offset += 64;
	/* Each tracing instance has its own section in the file. */
	row->record.offset = t->offset + (t->buffer ? 1 << 30 : 0);
	put(t, row->data, 2, EV_ID(event));
	put(t, row->data + 4, 4, t->pid);
	row->record.size = each_field(&t->machine, event, write_field, w);
	assert(row->record.size <= (int)sizeof(row->data));
	return row;
}

struct canned_row *enter(struct canned_trace *t, int depth, uint64_t func)
{
	return write_row(EV_ENTRY, &(struct writing){ .trace = t, .func = func, .depth = depth });
}

struct canned_row *leave(struct canned_trace *t, int depth, uint64_t func)
{
	return write_row(EV_EXIT, &(struct writing){ .trace = t, .func = func, .depth = depth });
}

void leaf(struct canned_trace *t, int depth, uint64_t func)
{
	enter(t, depth, func);
	leave(t, depth, func);
}

struct canned_row *packet(struct canned_trace *t, int pkt, int how, uint64_t func,
			  const struct canned_flow *flow)
{
	return write_row(EV_PACKET,
			 &(struct writing){
				 .trace = t, .func = func, .pkt = pkt, .how = how, .flow = flow });
}

struct canned_row *call(struct canned_trace *t, int how, uint64_t func,
			const struct canned_flow *flow)
{
	return write_row(EV_CALL,
			 &(struct writing){ .trace = t, .func = func, .how = how, .flow = flow });
}

struct canned_row *other(struct canned_trace *t, uint64_t func)
{
	return write_row(EV_OTHER, &(struct writing){ .trace = t, .func = func });
}

struct canned_row *returns(struct canned_trace *t, int pkt, uint64_t func, long ret)
{
	return write_row(EV_RETURN,
			 &(struct writing){ .trace = t, .func = func, .pkt = pkt, .ret = ret });
}

struct canned_row *drop(struct canned_trace *t, int pkt, int reason, uint64_t place)
{
	return write_row(EV_DROP,
			 &(struct writing){ .trace = t, .func = place, .pkt = pkt, .how = reason });
}

struct canned_row *copied(struct canned_trace *t, int pkt, int from, int kind, uint64_t func)
{
	return write_row(EV_COPY,
			 &(struct writing){
				 .trace = t, .func = func, .pkt = pkt, .from = from, .how = kind });
}

struct canned_row *ends(struct canned_trace *t, int pkt)
{
	return write_row(EV_END, &(struct writing){ .trace = t, .pkt = pkt });
}

struct canned_row *sched(struct canned_trace *t, int what, int task, int switches)
{
	return write_row(
		EV_SCHED,
		&(struct writing){ .trace = t, .how = what, .task = task, .switches = switches });
}

struct canned_row *foreign(struct canned_trace *t)
{
	return write_row(EV_FOREIGN, &(struct writing){ .trace = t });
}

void canned_own_data(struct canned_trace *trace)
{
	struct canned_row *row;
	int i;

	for (i = 0; i < trace->nr; i++) {
		row = &trace->rows[i];
		row->was_read = false;
		row->record.cpu = row->cpu;
		row->record.ts = row->ts;
		row->record.missed_events = row->missed_events;
		row->record.size -= row->cut;
		row->cut = 0;
		row->record.data = malloc(row->record.size);
		assert(row->record.data);
		memcpy(row->record.data, row->data, row->record.size);
	}
}

void canned_free_data(struct canned_trace *trace)
{
	int i;

	for (i = 0; i < trace->nr; i++)
		free(trace->rows[i].record.data);
}

void canned_print(struct canned_trace *trace, struct tep_handle *tep, bool as_trace_cmd, FILE *out)
{
	const char *text;
	struct canned_row *row;
	struct trace_seq s;

	canned_own_data(trace);
	standin_start(trace, as_trace_cmd);
	while ((row = standin_next_row())) {
		if (row->hidden)
			continue;
		trace_seq_init(&s);
		tep_print_event(tep, &s, &row->record, "%s", TEP_PRINT_INFO);
		trace_seq_terminate(&s);
		/* Remove the columns in which trace-cmd prints the duration. */
		text = strstr(s.buffer, "|  ");
		fprintf(out, "%d: %s\n", row->pid, text ? text + 3 : s.buffer);
		trace_seq_destroy(&s);
	}
	standin_stop();
	canned_free_data(trace);
}

char *canned_report(struct canned_trace *trace, bool plugin, bool as_trace_cmd)
{
	struct tep_plugin_list *list;
	struct tep_handle *tep = canned_open(&trace->machine, plugin, &list);
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert(out);
	canned_print(trace, tep, as_trace_cmd, out);
	fclose(out);
	canned_close(tep, list);
	return text;
}
