// SPDX-License-Identifier: LGPL-2.1
/*
 * plugin_record_skb.c - the packet on each line of a graph recorded by trace-cmd record-skb
 *
 * A libtraceevent plugin: trace-cmd report loads it for each file. It prints nothing of its own.
 * What trace-cmd's handlers for the function graph print stays as it is, and the packet's number
 * and flow are put behind it.
 *
 * Those handlers are wrapped when the first record_skb event is printed, not when the plugin is
 * loaded: a trace without such events never meets the plugin, and by then all handlers stand in
 * their events.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "kshark_handover.h"
#include "report_host.h"
#include "return_text.h"
#include "rows.h"

/* Not TEP_PLUGIN_OPTIONS: all plugins' symbols share one name space, and the first would win. */
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
			"Show what a probe point returned also if it is not known what its values\n"
			"                mean (only the lowest eight bits count of a bool, none of void)",
	},
	{
		.name = NULL,
	},
};

static struct tep_plugin_option *const first_only = &options[0];
static struct tep_plugin_option *const show_return = &options[1];

struct plugin;

/* An event of the function graph and trace-cmd's own handler for it. */
struct wrapped_event {
	struct plugin *plugin;
	struct tep_event *event;
	tep_event_handler_func handler;
	void *context;
};

/* One for each file that is open. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	struct graph_state *state;
	enum report_view view;
	bool said_why; /* it labels less than one would expect */
	bool wrapped;
	bool mixed;	  /* rows of several buffers come, and cannot be told apart */
	struct rows rows; /* once the first of our events is printed */
	struct wrapped_event graph[EVENT_KINDS];
	struct report_loss_follower loss;
	void **buffers; /* those whose losses we follow */
	size_t nr_buffers;
	struct wrapped_event *others; /* all other events, if only their rows tell of losses */
	size_t nr_others;
	uint64_t *last_offset; /* by CPU, of the last row; 0 for none */
	int nr_cpus;
};

static struct plugin *plugins;

static void rows_lost(void *buffer, int cpu, void *data)
{
	struct plugin *plugin = data;

	graph_state_forget(plugin->state, buffer, cpu);
}

/* From the first row on that we see of it: before, nothing was known that could be wrong. */
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
 * Without libtracecmd to ask, each row that is printed is looked at. A loss is known only then,
 * and a task that was there while rows were lost may already have shown up elsewhere.
 *
 * Rows of one CPU follow each other in the file. If they jump far there are rows that are not
 * shown; if they jump back, there are several buffers.
 */
static void look_at_row(struct plugin *plugin, const struct tep_record *record)
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

/* False for a row that is nobody's: one cut short, or of a task that not all rows are seen of. */
static bool read_row(struct plugin *plugin, const struct tep_record *record, const void **buffer,
		     struct row *row)
{
	*buffer = report_host_buffer();
	if (*buffer) {
		follow_buffer(plugin, (void *)*buffer);
		if (record->missed_events)
			rows_lost((void *)*buffer, record->cpu, plugin);
	} else {
		look_at_row(plugin, record);
	}
	/* The event is one of ours, whatever is left of its record. */
	if (rows_read(&plugin->rows, record, row) != ROW_READ) {
		rows_lost((void *)*buffer, record->cpu, plugin);
		return false;
	}
	return !plugin->mixed && plugin->view != REPORT_SOME_ROWS &&
	       (plugin->view != REPORT_SOME_CPUS || !row->pid);
}

static void wrap_graph_events(struct plugin *plugin);

static int own_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct plugin *plugin = context;
	const void *buffer;
	struct row row;

	(void)s;
	(void)event;
	if (!plugin->wrapped)
		wrap_graph_events(plugin);
	if (read_row(plugin, record, &buffer, &row))
		rows_follow(&plugin->rows, plugin->state, buffer, &row);
	/* The event prints itself. */
	return 1;
}

/* Some versions end their lines, and trace-cmd takes that away again. */
static void append(struct trace_seq *s, const char *text)
{
	bool newline = s->len && s->buffer[s->len - 1] == '\n';

	if (newline)
		s->len--;
	trace_seq_puts(s, " /* ");
	trace_seq_puts(s, text);
	trace_seq_puts(s, newline ? " */\n" : " */");
}

/*
 * Whether the row that was printed has the exit in it too: then there is a duration in front of
 * the bar.
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
 * trace-cmd's handler prints an entry and the exit after it as one line, if they belong together,
 * and we never get to see that exit: it is gone once it has been read. trace-cmd 3.1 also takes
 * the exit of another CPU's idle task for the entry's own, if that has just left the same function.
 *
 * Returns whether there is an exit that may be swallowed.
 */
static bool look_for_exit(struct plugin *plugin, const struct report_ahead *ahead, struct row *exit)
{
	return ahead->next && rows_read(&plugin->rows, ahead->next, exit) == ROW_READ &&
	       exit->kind == EVENT_EXIT && exit->readable;
}

static int entry_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct row_owner owner = { .label = { NULL } };
	struct graph_task_id id;
	struct report_ahead ahead;
	struct row row, exit;
	unsigned int from = s->len;
	const void *buffer;
	bool swallowed;
	int ret;

	if (!read_row(plugin, record, &buffer, &row))
		return graph->handler(s, record, event, graph->context);
	id = row_task(&row, buffer);
	if (!graph_task_find(plugin->state, &id, row.ts))
		return graph->handler(s, record, event, graph->context);

	report_host_look_ahead((void *)buffer, record, &ahead);
	if (ahead.loss_elsewhere && row.pid)
		graph_state_forget_task(plugin->state, &id);
	else
		owner = rows_follow(&plugin->rows, plugin->state, buffer, &row);
	swallowed = look_for_exit(plugin, &ahead, &exit);

	ret = graph->handler(s, record, event, graph->context);
	if (buffer) {
		swallowed = swallowed && report_host_was_read((void *)buffer, &ahead);
	} else {
		exit = row;
		exit.kind = EVENT_EXIT;
		swallowed = is_leaf(s, from) && row.readable;
	}
	if (!ret && owner.label.text && (owner.label.first || !first_only->set))
		append(s, owner.label.text);

	/* trace-cmd may have read the row with the mark, and nobody would tell us. */
	if (ahead.loss_here)
		rows_lost((void *)buffer, record->cpu, plugin);
	if (swallowed)
		rows_follow(&plugin->rows, plugin->state, buffer, &exit);
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
		append(s, text);
	return ret;
}

/* Any other event: it prints what it always does. */
static int other_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *other = context;

	look_at_row(other->plugin, record);
	return other->handler ? other->handler(s, record, event, other->context) : 1;
}

/* With -n or -r the event is printed without us. */
static bool is_hidden(const struct tep_event *event)
{
	return event && event->flags & (TEP_EVENT_FL_NOHANDLE | TEP_EVENT_FL_PRINTRAW);
}

static void wrap(struct wrapped_event *wrapped, struct plugin *plugin, struct tep_event *event,
		 tep_event_handler_func handler)
{
	wrapped->plugin = plugin;
	wrapped->handler = event->handler;
	wrapped->context = event->context;
	wrapped->event = event;
	event->handler = handler;
	event->context = wrapped;
}

static void unwrap(struct wrapped_event *wrapped)
{
	struct tep_event *event = wrapped->event;

	if (event && event->context == wrapped) {
		event->handler = wrapped->handler;
		event->context = wrapped->context;
	}
}

/* Once for each file of ours. */
static void say_why_not(struct plugin *plugin)
{
	static const char *const why[] = {
		[REPORT_SOME_CPUS] =
			"with --cpu only the idle tasks' lines show their packets: of a task "
			"that moves between CPUs it is not known what the others have",
		[REPORT_SOME_ROWS] =
			"with -F no line shows its packet: the rows that are filtered out "
			"say whose the others are",
	};

	if (!plugin->said_why && plugin->view != REPORT_ALL_ROWS)
		fprintf(stderr, RECORD_SKB_MODULE ": %s\n", why[plugin->view]);
	plugin->said_why = true;
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

/* False if not all rows can be seen this way. */
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
			wrap(&plugin->others[plugin->nr_others++], plugin, events[i],
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
	say_why_not(plugin);
	rows_find(&plugin->rows, plugin->tep);
	for (i = 0; i < PLACING_EVENTS; i++) {
		if (is_hidden(plugin->rows.fields[i].event))
			return;
	}
	for (i = EVENT_ENTRY; i < EVENT_KINDS; i++) {
		event = plugin->rows.fields[i].event;
		/* Without a handler the event prints itself, and there is nothing to put behind. */
		if (!event || !event->handler)
			continue;
		graph = &plugin->graph[i];
		wrap(graph, plugin, event, i == EVENT_EXIT ? exit_handler : entry_handler);
	}
	if (!report_host_buffer() && !wrap_other_events(plugin))
		plugin->mixed = true;
}

static void unwrap_graph_events(struct plugin *plugin)
{
	size_t i;

	for (i = 0; i < EVENT_KINDS; i++)
		unwrap(&plugin->graph[i]);
	for (i = 0; i < plugin->nr_others; i++)
		unwrap(&plugin->others[i]);
}

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

	/* There rows are asked for in any order: the plugin for KernelShark does it another way. */
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

	/* None of its events may have been shown. */
	if (tep_find_event_by_name(tep, event_names[EVENT_PACKET].system,
				   event_names[EVENT_PACKET].name))
		say_why_not(plugin);

	unwrap_graph_events(plugin);
	for (i = 0; i < PLACING_EVENTS; i++)
		tep_unregister_event_handler(tep, -1, event_names[i].system, event_names[i].name,
					     own_handler, plugin);
	*next = plugin->next;
	free_plugin(plugin);
	if (!plugins)
		tep_plugin_remove_options(options);
}
