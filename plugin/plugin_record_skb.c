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
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "graph_state.h"
#include "report_host.h"
#include "skb_event.h"

#define SYSTEM	"record_skb"
#define GATE	"record_skb_gate"

/* Not TEP_PLUGIN_OPTIONS: all plugins' symbols share one name space, and the first would win. */
static struct tep_plugin_option options[] = {
	{
		.name = "first",
		.plugin_alias = SYSTEM,
		.description = "Show the packet on the first line of its graph only",
	},
	{
		.name = "return",
		.plugin_alias = SYSTEM,
		.description = "Show what a probe point returned behind its gate's closing brace\n"
			       "                (a meaningless number if it returns nothing)",
	},
	{
		.name = NULL,
	},
};

static struct tep_plugin_option *const first_only = &options[0];
static struct tep_plugin_option *const show_return = &options[1];

static const char *const event_names[SKB_EVENT_KINDS] = {
	[SKB_PACKET]	= "packet",
	[SKB_OTHER]	= "other",
	[SKB_CALL]	= "call",
	[SKB_RETURN]	= "return",
};

enum wrapped {
	WRAPPED_ENTRY,
	WRAPPED_RETADDR_ENTRY,
	WRAPPED_EXIT,
	WRAPPED_EVENTS,
};

static const char *const wrapped_names[WRAPPED_EVENTS] = {
	[WRAPPED_ENTRY]		= "funcgraph_entry",
	[WRAPPED_RETADDR_ENTRY]	= "fgraph_retaddr_entry",
	[WRAPPED_EXIT]		= "funcgraph_exit",
};

struct plugin;

/* An event of the function graph and trace-cmd's own handler for it. */
struct wrapped_event {
	struct plugin *plugin;
	struct event_fields fields;
	tep_event_handler_func handler;
	void *context;
};

struct own_event {
	struct plugin *plugin;
	enum skb_event_kind kind;
	struct event_fields fields;
};

/* One for each file that is open. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	struct graph_state *state;
	enum report_view view;
	bool wrapped;
	uint64_t gate;			/* address of the gate once an entry showed it, else 0 */
	struct own_event own[SKB_EVENT_KINDS];
	struct wrapped_event graph[WRAPPED_EVENTS];
	struct report_loss_follower loss;
	void **buffers;			/* those whose losses we follow */
	size_t nr_buffers;
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

/* Fails on a row that is nobody's: one cut short, or of a task that not all rows are seen of. */
static int row_task(struct plugin *plugin, const struct event_fields *fields,
		    const struct tep_record *record, struct graph_task_id *id)
{
	uint64_t pid;

	if (record->missed_events)
		rows_lost((void *)id->buffer, record->cpu, plugin);
	if (event_field_read(fields, FIELD_PID, record, &pid)) {
		/* Whose it is has been cut off: it may be anybody's. */
		rows_lost((void *)id->buffer, record->cpu, plugin);
		return -1;
	}
	id->pid = (int)pid;
	id->cpu = record->cpu;
	if (plugin->view == REPORT_SOME_ROWS || (plugin->view == REPORT_SOME_CPUS && id->pid))
		return -1;
	return 0;
}

static void wrap_graph_events(struct plugin *plugin);

static int own_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct own_event *own = context;
	struct plugin *plugin = own->plugin;
	struct graph_task_id id = { .buffer = report_host_buffer() };
	struct skb_event skb_event;
	int err;

	(void)s;
	if (!plugin->wrapped)
		wrap_graph_events(plugin);
	follow_buffer(plugin, (void *)id.buffer);
	event_fields_find(&own->fields, event);

	if (!row_task(plugin, &own->fields, record, &id)) {
		err = skb_event_read(&own->fields, own->kind, record, &skb_event);
		graph_state_event(plugin->state, &id, record->ts, err ? NULL : &skb_event);
	}
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

static enum graph_func what_is(struct plugin *plugin, uint64_t func)
{
	const char *name;

	if (plugin->gate && func == plugin->gate)
		return GRAPH_FUNC_GATE;
	name = tep_find_function(plugin->tep, func);
	if (!name)
		return GRAPH_FUNC_UNNAMED;
	if (strcmp(name, GATE))
		return GRAPH_FUNC_NAMED;
	plugin->gate = func;
	return GRAPH_FUNC_GATE;
}

static struct graph_label entry_label(struct plugin *plugin, struct graph_task *task,
				      const struct event_fields *fields,
				      const struct tep_record *record,
				      const struct graph_task_id *id)
{
	struct graph_label label = { NULL };
	enum graph_func what = GRAPH_FUNC_NAMED;
	uint64_t func, depth;

	if (event_field_read(fields, FIELD_FUNC, record, &func) ||
	    event_field_read(fields, FIELD_DEPTH, record, &depth)) {
		graph_state_forget_task(plugin->state, id);
		return label;
	}
	if (graph_task_expects_gate(task))
		what = what_is(plugin, func);
	return graph_task_entry(task, func, depth, what);
}

/*
 * trace-cmd's handler prints an entry and the exit after it as one line, if they belong together,
 * and we never get to see that exit. It also takes the exit of another CPU's idle task for it, if
 * that has just left the same function.
 */
static void exit_was_read(struct plugin *plugin, const void *buffer, uint64_t pid, int cpu,
			  uint64_t ts, uint64_t depth)
{
	struct graph_task_id id = { .buffer = buffer, .pid = (int)pid, .cpu = cpu };
	struct graph_task *task = graph_task_find(plugin->state, &id, ts);
	int64_t ret;

	if (task)
		graph_task_exit(task, depth, &ret);
}

static bool is_exit(struct plugin *plugin, const struct tep_record *record)
{
	const struct tep_event *event = plugin->graph[WRAPPED_EXIT].fields.event;

	return event && tep_data_type(plugin->tep, (struct tep_record *)record) == event->id;
}

static int entry_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct wrapped_event *exits = &plugin->graph[WRAPPED_EXIT];
	struct graph_task_id id = { .buffer = report_host_buffer() };
	struct graph_label label = { NULL };
	struct graph_task *task = NULL;
	struct report_ahead ahead;
	uint64_t exit_pid, exit_depth, exit_ts;
	bool exit_next = false;
	int exit_cpu;
	int ret;

	if (!row_task(plugin, &graph->fields, record, &id))
		task = graph_task_find(plugin->state, &id, record->ts);
	if (!task)
		return graph->handler(s, record, event, graph->context);

	report_host_look_ahead((void *)id.buffer, record, &ahead);
	if (ahead.loss_elsewhere && id.pid)
		graph_state_forget_task(plugin->state, &id);
	else
		label = entry_label(plugin, task, &graph->fields, record, &id);

	/* The record is gone once it has been read. */
	if (ahead.next && is_exit(plugin, ahead.next) &&
	    !event_field_read(&exits->fields, FIELD_PID, ahead.next, &exit_pid) &&
	    !event_field_read(&exits->fields, FIELD_DEPTH, ahead.next, &exit_depth)) {
		exit_next = true;
		exit_cpu = ahead.next->cpu;
		exit_ts = ahead.next->ts;
	}

	ret = graph->handler(s, record, event, graph->context);
	if (!ret && label.text && (label.first || !first_only->set))
		append(s, label.text);

	/* trace-cmd may have read the row with the mark, and nobody would tell us. */
	if (ahead.loss_here)
		rows_lost((void *)id.buffer, record->cpu, plugin);

	if (exit_next && report_host_was_read((void *)id.buffer, &ahead))
		exit_was_read(plugin, id.buffer, exit_pid, exit_cpu, exit_ts, exit_depth);
	return ret;
}

static int exit_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct graph_task_id id = { .buffer = report_host_buffer() };
	struct graph_task *task = NULL;
	bool returned = false;
	char text[16];
	uint64_t depth;
	int64_t value;
	int ret;

	if (!row_task(plugin, &graph->fields, record, &id))
		task = graph_task_find(plugin->state, &id, record->ts);
	if (task) {
		if (event_field_read(&graph->fields, FIELD_DEPTH, record, &depth))
			graph_state_forget_task(plugin->state, &id);
		else
			returned = graph_task_exit(task, depth, &value);
	}

	ret = graph->handler(s, record, event, graph->context);
	if (!ret && returned && show_return->set) {
		/* The upper half means nothing where a function returns int. */
		snprintf(text, sizeof(text), "= %d", (int32_t)value);
		append(s, text);
	}
	return ret;
}

/* With -n or -r the event is printed without us. */
static bool is_hidden(const struct tep_event *event)
{
	return event && event->flags & (TEP_EVENT_FL_NOHANDLE | TEP_EVENT_FL_PRINTRAW);
}

static void wrap_graph_events(struct plugin *plugin)
{
	struct wrapped_event *graph;
	struct tep_event *event;
	int i;

	plugin->wrapped = true;
	for (i = 0; i < SKB_EVENT_KINDS; i++) {
		if (is_hidden(tep_find_event_by_name(plugin->tep, SYSTEM, event_names[i])))
			return;
	}
	for (i = 0; i < WRAPPED_EVENTS; i++) {
		event = tep_find_event_by_name(plugin->tep, "ftrace", wrapped_names[i]);
		/* Without a handler the event prints itself, and there is nothing to put behind. */
		if (!event || !event->handler)
			continue;
		graph = &plugin->graph[i];
		graph->plugin = plugin;
		graph->handler = event->handler;
		graph->context = event->context;
		event_fields_find(&graph->fields, event);
		event->handler = i == WRAPPED_EXIT ? exit_handler : entry_handler;
		event->context = graph;
	}
}

static void unwrap_graph_events(struct plugin *plugin)
{
	int i;

	for (i = 0; i < WRAPPED_EVENTS; i++) {
		struct wrapped_event *graph = &plugin->graph[i];
		struct tep_event *event = graph->fields.event;

		if (event && event->context == graph) {
			event->handler = graph->handler;
			event->context = graph->context;
		}
	}
}

static void free_plugin(struct plugin *plugin)
{
	graph_state_free(plugin->state);
	free(plugin->buffers);
	free(plugin);
}

__attribute__((visibility("default")))
int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct plugin *plugin;
	int i;

	/* There rows are asked for in any order: the plugin for KernelShark does it another way. */
	if (report_host_is_kernelshark())
		return 0;

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
	for (i = 0; i < SKB_EVENT_KINDS; i++) {
		plugin->own[i].plugin = plugin;
		plugin->own[i].kind = i;
		tep_register_event_handler(tep, -1, SYSTEM, event_names[i], own_handler,
					   &plugin->own[i]);
	}
	if (!plugins)
		tep_plugin_add_options(SYSTEM, options);
	plugin->next = plugins;
	plugins = plugin;
	return 0;
}

__attribute__((visibility("default")))
void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct plugin **next = &plugins;
	struct plugin *plugin;
	int i;

	while (*next && (*next)->tep != tep)
		next = &(*next)->next;
	plugin = *next;
	if (!plugin)
		return;

	unwrap_graph_events(plugin);
	for (i = 0; i < SKB_EVENT_KINDS; i++)
		tep_unregister_event_handler(tep, -1, SYSTEM, event_names[i], own_handler,
					     &plugin->own[i]);
	*next = plugin->next;
	free_plugin(plugin);
	if (!plugins)
		tep_plugin_remove_options(options);
}
