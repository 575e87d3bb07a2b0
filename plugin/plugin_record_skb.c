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
#include "kshark_handover.h"
#include "report_host.h"
#include "return_text.h"
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
		.description = "Show what a probe point returned also if it is not known what its values\n"
			       "                mean (a meaningless number if it returns nothing)",
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
	bool mixed;			/* rows of several buffers come, and cannot be told apart */
	uint64_t gate;			/* address of the gate once an entry showed it, else 0 */
	struct own_event own[SKB_EVENT_KINDS];
	struct wrapped_event graph[WRAPPED_EVENTS];
	struct report_loss_follower loss;
	void **buffers;			/* those whose losses we follow */
	size_t nr_buffers;
	struct wrapped_event *others;	/* all other events, if only their rows tell of losses */
	size_t nr_others;
	uint64_t *last_offset;		/* by CPU, of the last row; 0 for none */
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

/* Fails on a row that is nobody's: one cut short, or of a task that not all rows are seen of. */
static int row_task(struct plugin *plugin, const struct event_fields *fields,
		    const struct tep_record *record, struct graph_task_id *id)
{
	uint64_t pid;

	id->buffer = report_host_buffer();
	if (id->buffer) {
		follow_buffer(plugin, (void *)id->buffer);
		if (record->missed_events)
			rows_lost((void *)id->buffer, record->cpu, plugin);
	} else {
		look_at_row(plugin, record);
	}
	if (event_field_read(fields, FIELD_PID, record, &pid)) {
		/* Whose it is has been cut off: it may be anybody's. */
		rows_lost((void *)id->buffer, record->cpu, plugin);
		return -1;
	}
	id->pid = (int)pid;
	id->cpu = record->cpu;
	if (plugin->mixed || plugin->view == REPORT_SOME_ROWS ||
	    (plugin->view == REPORT_SOME_CPUS && id->pid))
		return -1;
	return 0;
}

static void wrap_graph_events(struct plugin *plugin);

static int own_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct own_event *own = context;
	struct plugin *plugin = own->plugin;
	struct graph_task_id id = { NULL };
	struct skb_event skb_event;
	int err;

	(void)s;
	if (!plugin->wrapped)
		wrap_graph_events(plugin);
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
 * and we never get to see that exit.
 */
struct swallowed {
	bool may_be;
	struct graph_task_id id;
	uint64_t ts, depth;
};

static void exit_was_read(struct plugin *plugin, const struct swallowed *exit)
{
	struct graph_task *task = graph_task_find(plugin->state, &exit->id, exit->ts);
	struct graph_return ret;

	if (task)
		graph_task_exit(task, exit->depth, &ret);
}

static bool is_exit(struct plugin *plugin, const struct tep_record *record)
{
	const struct tep_event *event = plugin->graph[WRAPPED_EXIT].fields.event;

	return event && tep_data_type(plugin->tep, (struct tep_record *)record) == event->id;
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
 * The exit that may be swallowed: it is gone once it has been read. trace-cmd 3.1 also takes the
 * exit of another CPU's idle task for the entry's own, if that has just left the same function.
 */
static void look_for_exit(struct plugin *plugin, const void *buffer,
			  const struct report_ahead *ahead, struct swallowed *exit)
{
	const struct event_fields *fields = &plugin->graph[WRAPPED_EXIT].fields;
	uint64_t pid;

	exit->may_be = ahead->next && is_exit(plugin, ahead->next) &&
		       !event_field_read(fields, FIELD_PID, ahead->next, &pid) &&
		       !event_field_read(fields, FIELD_DEPTH, ahead->next, &exit->depth);
	if (!exit->may_be)
		return;
	exit->id = (struct graph_task_id){
		.buffer = buffer, .pid = (int)pid, .cpu = ahead->next->cpu,
	};
	exit->ts = ahead->next->ts;
}

static int entry_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			 void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct graph_task_id id = { NULL };
	struct graph_label label = { NULL };
	struct graph_task *task = NULL;
	struct report_ahead ahead;
	struct swallowed exit;
	unsigned int from = s->len;
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
	look_for_exit(plugin, id.buffer, &ahead, &exit);

	ret = graph->handler(s, record, event, graph->context);
	if (id.buffer) {
		exit.may_be = exit.may_be && report_host_was_read((void *)id.buffer, &ahead);
	} else {
		exit.may_be = is_leaf(s, from) && !event_field_read(&graph->fields, FIELD_DEPTH,
								    record, &exit.depth);
		exit.id = id;
		exit.ts = record->ts;
	}
	if (!ret && label.text && (label.first || !first_only->set))
		append(s, label.text);

	/* trace-cmd may have read the row with the mark, and nobody would tell us. */
	if (ahead.loss_here)
		rows_lost((void *)id.buffer, record->cpu, plugin);
	if (exit.may_be)
		exit_was_read(plugin, &exit);
	return ret;
}

static int exit_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			void *context)
{
	struct wrapped_event *graph = context;
	struct plugin *plugin = graph->plugin;
	struct graph_task_id id = { NULL };
	struct graph_task *task = NULL;
	char text[RETURN_TEXT_LEN];
	struct graph_return value;
	bool returned = false;
	uint64_t depth;
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
	if (!ret && returned && return_text(text, tep_find_function(plugin->tep, value.func),
					    value.value, show_return->set))
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
	event_fields_find(&wrapped->fields, event);
	event->handler = handler;
	event->context = wrapped;
}

static void unwrap(struct wrapped_event *wrapped)
{
	struct tep_event *event = wrapped->fields.event;

	if (event && event->context == wrapped) {
		event->handler = wrapped->handler;
		event->context = wrapped->context;
	}
}

static bool is_ours(const struct plugin *plugin, const struct tep_event *event)
{
	int i;

	for (i = 0; i < WRAPPED_EVENTS; i++) {
		if (plugin->graph[i].fields.event == event)
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
		wrap(graph, plugin, event, i == WRAPPED_EXIT ? exit_handler : entry_handler);
	}
	if (!report_host_buffer() && !wrap_other_events(plugin))
		plugin->mixed = true;
}

static void unwrap_graph_events(struct plugin *plugin)
{
	size_t i;

	for (i = 0; i < WRAPPED_EVENTS; i++)
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

__attribute__((visibility("default")))
int TEP_PLUGIN_LOADER(struct tep_handle *tep)
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
