// SPDX-License-Identifier: LGPL-2.1
/*
 * plugin_record_skb.c - show the packet on each line of a graph that trace-cmd record-skb recorded
 *
 * This is a plugin of libtraceevent: trace-cmd report loads it for each file. The plugin prints no
 * lines of its own. It appends the packet's number and flow to the lines that trace-cmd's handlers
 * for the function graph print.
 *
 * The plugin wraps these handlers when the first record_skb event is printed, not when the plugin is loaded.
 * At that time, all handlers have been registered. Traces without such events are not affected.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "escape.h"
#include "kshark_handover.h"
#include "report_host.h"
#include "return_text.h"
#include "rows.h"

/*
 * Define the options without the macro TEP_PLUGIN_OPTIONS, which defines a global symbol. All plugins share
 * one namespace of symbols, so the first definition would be used for all plugins.
 */
static struct tep_plugin_option options[] = {
	{
		.name = "first",
		.plugin_alias = RECORD_SKB_MODULE,
		.description = "Show the packet on the first line of its graph only",
	},
	{
		.name = "return",
		.plugin_alias = RECORD_SKB_MODULE,
		.description =
			"Show the return value of every probe point, even if its meaning is unknown\n"
			"                (for a bool, only the lowest eight bits count; for void, none)",
	},
	{
		.name = NULL,
	},
};

static struct tep_plugin_option *const first_only = &options[0];
static struct tep_plugin_option *const show_return = &options[1];

struct plugin;

/*
 * A wrapped event: the plugin's handler calls the original handler, such as trace-cmd's handler for the
 * function graph.
 */
struct wrapped_event {
	struct plugin *plugin;
	struct tep_event *event;
	tep_event_handler_func handler;
	void *context;
};

/* State of the plugin for one file. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	struct graph_state *state;
	enum report_view view;
	bool reason_printed; /* the reason for missing labels was printed */
	bool wrapped;
	bool printing; /* true while print_escaped() calls libtraceevent to print an event */
	bool mixed;    /* true if rows of several trace buffers arrive and cannot be told apart */
	struct rows rows; /* valid once the first record_skb event is printed */
	struct wrapped_event graph[EVENT_KINDS];
	struct report_loss_follower loss;
	void **buffers; /* buffers with a loss handler */
	size_t nr_buffers;
	uint64_t missing; /* number of calls without a row, because function_graph's return stack was full */
	/* all other events, wrapped only if losses cannot be detected in another way */
	struct wrapped_event *others;
	size_t nr_others;
	uint64_t *last_offset; /* file offset of each CPU's last row; 0 for none */
	int nr_cpus;
};

static struct plugin *plugins;

static void rows_lost(void *buffer, int cpu, void *data)
{
	struct plugin *plugin = data;

	graph_state_forget(plugin->state, buffer, cpu);
}

/*
 * When the first row of a buffer arrives, register a callback for lost rows. Losses before that row do not
 * matter, because the plugin has no state yet.
 */
static void follow_buffer(struct plugin *plugin, void *buffer)
{
	void **buffers;
	size_t i;

	for (i = 0; i < plugin->nr_buffers; i++) {
		if (plugin->buffers[i] == buffer)
			return;
	}
	buffers = realloc(plugin->buffers, (i + 1) * sizeof(*buffers));
	if (!buffers)
		return;
	plugin->buffers = buffers;
	plugin->buffers[plugin->nr_buffers++] = buffer;
	report_host_follow_loss(buffer, &plugin->loss);
}

/*
 * Detect losses if libtracecmd does not report them: examine each row that is printed. A loss is detected
 * only at the next row of the same CPU. Before that row, a task may have continued on another CPU.
 *
 * Rows of one CPU are adjacent in the file. A large jump forward means that rows are not shown. A jump
 * backward means that there are several buffers.
 */
static void check_for_loss(struct plugin *plugin, const struct tep_record *record)
{
	uint64_t size = tep_get_sub_buffer_size(plugin->tep);
	uint64_t *last;

	if (record->missed_events) {
		rows_lost(NULL, record->cpu, plugin);
		graph_state_distrust_migration(plugin->state);
	}
	if (record->cpu < 0)
		return;
	if (record->cpu >= plugin->nr_cpus) {
		last = realloc(plugin->last_offset, (record->cpu + 1) * sizeof(*last));
		if (!last) {
			plugin->mixed = true;
			return;
		}
		plugin->last_offset = last;
		while (plugin->nr_cpus <= record->cpu)
			last[plugin->nr_cpus++] = 0;
	}
	last = &plugin->last_offset[record->cpu];
	if (record->offset < *last)
		plugin->mixed = true;
	else if (*last && record->offset - *last > 2 * (size ? size : 4096))
		rows_lost(NULL, record->cpu, plugin);
	*last = record->offset;
}

/*
 * Parse a row. Return: false if the row cannot be assigned to a packet, because it is damaged or because
 * some rows of its task are not shown.
 */
static bool read_row(struct plugin *plugin, const struct tep_record *record, const void **buffer,
		     struct row *row)
{
	*buffer = report_host_buffer();
	if (*buffer) {
		follow_buffer(plugin, (void *)*buffer);
		if (record->missed_events)
			rows_lost((void *)*buffer, record->cpu, plugin);
	} else {
		check_for_loss(plugin, record);
	}
	/*
	 * libtraceevent calls a handler only for known events. So if a row cannot be parsed, it is damaged.
	 */
	if (rows_read(&plugin->rows, record, row) != ROW_READ) {
		rows_lost((void *)*buffer, record->cpu, plugin);
		return false;
	}
	return !plugin->mixed && plugin->view != REPORT_SOME_ROWS &&
	       (plugin->view != REPORT_SOME_CPUS || !row->pid);
}

static void wrap_graph_events(struct plugin *plugin);

/*
 * Print an event of record_skb as libtraceevent does, but with escapes. The event contains names of devices,
 * tasks and nftables tables, which users choose freely.
 *
 * Return: 0; 1 if libtraceevent must print the event itself. Handlers have the same return value.
 */
static int print_escaped(struct plugin *plugin, struct trace_seq *s, struct tep_record *record)
{
	struct trace_seq text;
	char *escaped;
	size_t size;

	if (plugin->printing)
		return 1;
	trace_seq_init(&text);
	plugin->printing = true;
	tep_print_event(plugin->tep, &text, record, "%s", TEP_PRINT_INFO);
	plugin->printing = false;
	trace_seq_terminate(&text);
	size = ESCAPED_LEN(strlen(text.buffer));
	escaped = malloc(size);
	if (escaped)
		trace_seq_puts(s, escape_text(escaped, size, text.buffer));
	free(escaped);
	trace_seq_destroy(&text);
	return !escaped;
}

/* Handler for the record_skb events that do not assign rows to packets. */
static int text_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			void *context)
{
	(void)event;
	return print_escaped(context, s, record);
}

static int own_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct plugin *plugin = context;
	const void *buffer;
	struct row row;

	(void)event;
	if (plugin->printing)
		return 1;
	if (!plugin->wrapped)
		wrap_graph_events(plugin);
	if (read_row(plugin, record, &buffer, &row))
		rows_follow(&plugin->rows, plugin->state, buffer, &row);
	return print_escaped(plugin, s, record);
}

/*
 * Append a comment to the line. In some versions of trace-cmd, the line already ends with a newline here, and
 * trace-cmd removes it later.
 */
static void append_comment(struct trace_seq *s, const char *text)
{
	bool newline = s->len && s->buffer[s->len - 1] == '\n';

	if (newline)
		s->len--;
	trace_seq_puts(s, " /* ");
	trace_seq_puts(s, text);
	trace_seq_puts(s, newline ? " */\n" : " */");
}

/* Append a note to the line which says that function calls before this line are missing. */
static void mark_missing(struct plugin *plugin, struct trace_seq *s,
			 const struct graph_missing *missing)
{
	char text[80];

	if (!missing->calls)
		return;
	plugin->missing += missing->calls;
	snprintf(text, sizeof(text), "%u call%s missing: the return stack was full", missing->calls,
		 missing->calls == 1 ? " is" : "s are");
	append_comment(s, text);
}

/*
 * Return: true if the printed line shows both the entry and the exit of the function. Only such a line has a
 * duration before the character "|".
 */
static bool is_leaf(const struct trace_seq *s, unsigned int from)
{
	for (; from < s->len && s->buffer[from] != '|'; from++) {
		if (s->buffer[from] >= '0' && s->buffer[from] <= '9')
			return true;
	}
	return false;
}

/*
 * Return: true if trace-cmd's handler may consume the row @next, because this row is an exit. @exit is set to
 * this row.
 *
 * If the next row is the exit of the same call, the handler prints the entry and the exit on one line. It
 * consumes the exit row, and then no handler is called for this row. trace-cmd 3.1 even consumes an exit of
 * the same function in the idle task of another CPU.
 */
static bool find_consumed_exit(struct plugin *plugin, const struct tep_record *next,
			       struct row *exit)
{
	return next && rows_read(&plugin->rows, next, exit) == ROW_READ &&
	       exit->kind == EVENT_EXIT && exit->readable;
}

static int entry_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct row_owner owner = { .label = { NULL } };
	struct graph_task_id id;
	const struct tep_record *next;
	struct report_ahead ahead;
	struct row row, exit;
	unsigned int from = s->len;
	const void *buffer;
	bool consumed;
	int ret;

	if (!read_row(plugin, record, &buffer, &row))
		return graph->handler(s, record, event, graph->context);
	id = row_task(&row, buffer);
	if (!graph_task_find(plugin->state, &id, row.ts))
		return graph->handler(s, record, event, graph->context);

	next = report_host_look_ahead((void *)buffer, record, &ahead);
	if (ahead.loss_elsewhere && row.pid)
		graph_state_forget_task(plugin->state, &id);
	else
		owner = rows_follow(&plugin->rows, plugin->state, buffer, &row);
	consumed = find_consumed_exit(plugin, next, &exit);

	ret = graph->handler(s, record, event, graph->context);
	if (buffer) {
		consumed = consumed && report_host_was_read((void *)buffer, &ahead);
	} else {
		exit = row;
		exit.kind = EVENT_EXIT;
		consumed = is_leaf(s, from) && row.readable;
	}
	if (!ret && owner.label.owner && (owner.label.first || !first_only->set))
		append_comment(s, graph_label_text(&owner.label));

	/*
	 * If trace-cmd consumes the first row after a loss, it does not report the loss. Therefore handle the
	 * loss here.
	 */
	if (ahead.loss_here)
		rows_lost((void *)buffer, record->cpu, plugin);
	if (consumed) {
		owner = rows_follow(&plugin->rows, plugin->state, buffer, &exit);
		mark_missing(plugin, s, &owner.missing);
	}
	return ret;
}

static int exit_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct row_owner owner = { .returned = false };
	char text[RETURN_TEXT_LEN];
	const void *buffer;
	struct row row;
	int ret;

	if (read_row(plugin, record, &buffer, &row))
		owner = rows_follow(&plugin->rows, plugin->state, buffer, &row);

	ret = graph->handler(s, record, event, graph->context);
	if (!ret && owner.returned &&
	    return_text(text, tep_find_function(plugin->tep, owner.ret.func), owner.ret.value,
			show_return->set))
		append_comment(s, text);
	if (!ret)
		mark_missing(plugin, s, &owner.missing);
	return ret;
}

/* Handler for all other events: check for losses and print as before. */
static int other_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *other = context;

	check_for_loss(other->plugin, record);
	return other->handler ? other->handler(s, record, event, other->context) : 1;
}

/* Return: true for events that libtraceevent prints without calling a handler (-n and -r). */
static bool is_hidden(const struct tep_event *event)
{
	return event && event->flags & (TEP_EVENT_FL_NOHANDLE | TEP_EVENT_FL_PRINTRAW);
}

static void wrap_event(struct wrapped_event *wrapped, struct plugin *plugin,
		       struct tep_event *event, tep_event_handler_func handler)
{
	wrapped->plugin = plugin;
	wrapped->handler = event->handler;
	wrapped->context = event->context;
	wrapped->event = event;
	event->handler = handler;
	event->context = wrapped;
}

static void unwrap_event(struct wrapped_event *wrapped)
{
	struct tep_event *event = wrapped->event;

	if (event && event->context == wrapped) {
		event->handler = wrapped->handler;
		event->context = wrapped->context;
	}
}

/* Print the reason for missing labels once per file. */
static void print_reason(struct plugin *plugin)
{
	static const char *const why[] = {
		[REPORT_SOME_CPUS] =
			"with --cpu, only lines of idle tasks show their packets: other tasks "
			"move between CPUs, so some of their rows are missing",
		[REPORT_SOME_ROWS] =
			"with -F, no line shows its packet: the filter removes rows that the "
			"plugin needs",
	};

	if (!plugin->reason_printed && plugin->view != REPORT_ALL_ROWS)
		fprintf(stderr, RECORD_SKB_MODULE ": %s\n", why[plugin->view]);
	plugin->reason_printed = true;
}

static bool is_ours(const struct plugin *plugin, const struct tep_event *event)
{
	int i;

	for (i = 0; i < EVENT_KINDS; i++) {
		if (plugin->graph[i].event == event)
			return true;
	}
	return event->handler == own_handler;
}

/* Wrap the handlers of all other events. Return: false if some rows would still not reach the plugin. */
static bool wrap_other_events(struct plugin *plugin)
{
	struct tep_event **events = tep_list_events(plugin->tep, TEP_EVENT_SORT_ID);
	size_t n = 0;
	size_t i;

	while (events && events[n])
		n++;
	plugin->others = calloc(n + 1, sizeof(*plugin->others));
	if (!events || !plugin->others)
		return false;
	for (i = 0; i < n; i++) {
		if (!is_ours(plugin, events[i]))
			wrap_event(&plugin->others[plugin->nr_others++], plugin, events[i],
				   other_handler);
	}
	return true;
}

static void wrap_graph_events(struct plugin *plugin)
{
	struct wrapped_event *graph;
	struct tep_event *event;
	int i;

	plugin->wrapped = true;
	print_reason(plugin);
	rows_find(&plugin->rows, plugin->tep);
	/* Without the handler of any of these events, rows could get a wrong packet. */
	for (i = 0; i < EVENT_KINDS; i++) {
		if ((i < PLACING_EVENTS || i >= OWN_EVENTS) &&
		    is_hidden(plugin->rows.fields[i].event))
			return;
	}
	for (i = EVENT_ENTRY; i < EVENT_KINDS; i++) {
		event = plugin->rows.fields[i].event;
		/*
		 * libtraceevent itself prints an event without a handler, so nothing can be appended to its
		 * line.
		 */
		if (!event || !event->handler)
			continue;
		graph = &plugin->graph[i];
		wrap_event(graph, plugin, event, i == EVENT_EXIT ? exit_handler : entry_handler);
	}
	if (!report_host_buffer() && !wrap_other_events(plugin))
		plugin->mixed = true;
}

static void unwrap_graph_events(struct plugin *plugin)
{
	size_t i;

	for (i = 0; i < EVENT_KINDS; i++)
		unwrap_event(&plugin->graph[i]);
	for (i = 0; i < plugin->nr_others; i++)
		unwrap_event(&plugin->others[i]);
}

/* The events of record_skb that do not assign rows to packets. tests/lint compares the lists of events. */
static const char *const text_events[] = {
	"drop",	    "limit", "copy", "end",   "rule",  "program",
	"decision", "reset", "stop", "sched", "netns", "wall_clock",
};

#define NR_TEXT_EVENTS (sizeof(text_events) / sizeof(text_events[0]))

static void free_plugin(struct plugin *plugin)
{
	graph_state_free(plugin->state);
	free(plugin->buffers);
	free(plugin->others);
	free(plugin->last_offset);
	free(plugin);
}

__attribute__((visibility("default"))) int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct plugin *plugin;
	int i;

	/*
	 * KernelShark reads rows in any order, so this plugin cannot be used. KernelShark has another
	 * plugin.
	 */
	if (report_host_is_kernelshark()) {
		kshark_handover();
		return 0;
	}

	plugin = calloc(1, sizeof(*plugin));
	if (!plugin)
		return -ENOMEM;
	plugin->state = graph_state_new();
	if (!plugin->state) {
		free_plugin(plugin);
		return -ENOMEM;
	}
	plugin->tep = tep;
	plugin->view = report_host_view();
	plugin->loss.lost = rows_lost;
	plugin->loss.data = plugin;
	for (i = 0; i < PLACING_EVENTS; i++)
		tep_register_event_handler(tep, -1, event_names[i].system, event_names[i].name,
					   own_handler, plugin);
	for (i = 0; i < (int)NR_TEXT_EVENTS; i++)
		tep_register_event_handler(tep, -1, RECORD_SKB_MODULE, text_events[i], text_handler,
					   plugin);
	if (!plugins)
		tep_plugin_add_options(RECORD_SKB_MODULE, options);
	plugin->next = plugins;
	plugins = plugin;
	return 0;
}

__attribute__((visibility("default"))) void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct plugin **next = &plugins;
	struct plugin *plugin;
	int i;

	while (*next && (*next)->tep != tep)
		next = &(*next)->next;
	plugin = *next;
	if (!plugin)
		return;

	/* Print the reason for missing labels even if none of the record_skb events in the file was shown. */
	if (tep_find_event_by_name(tep, event_names[EVENT_PACKET].system,
				   event_names[EVENT_PACKET].name))
		print_reason(plugin);

	if (plugin->missing)
		fprintf(stderr,
			RECORD_SKB_MODULE
			": %llu function call%s not recorded (marked): function_graph's "
			"return stack was full; see trace-cmd-record-skb(1), LOSSES\n",
			(unsigned long long)plugin->missing,
			plugin->missing == 1 ? " is" : "s are");
	unwrap_graph_events(plugin);
	for (i = 0; i < PLACING_EVENTS; i++)
		tep_unregister_event_handler(tep, -1, event_names[i].system, event_names[i].name,
					     own_handler, plugin);
	for (i = 0; i < (int)NR_TEXT_EVENTS; i++)
		tep_unregister_event_handler(tep, -1, RECORD_SKB_MODULE, text_events[i],
					     text_handler, plugin);
	*next = plugin->next;
	free_plugin(plugin);
	if (!plugins)
		tep_plugin_remove_options(options);
}
