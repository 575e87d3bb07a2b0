// SPDX-License-Identifier: LGPL-2.1
/*
 * plugin_kshark.c - show packets in KernelShark: add them to the Info column, and load the extensions
 *
 * KernelShark calls get_info() for the text of a row when it shows or searches the row. It does this in any
 * order and from several threads. So the plugin builds an index while the file is loaded, and replaces the
 * get_info() of the stream.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <libkshark.h>
#include <libkshark-plugin.h>
#include <libkshark-tepdata.h>

#include "escape.h"
#include "index.h"
#include "info_column.h"
#include "plugin_api.h"

struct open_stream {
	struct open_stream *next;
	struct kshark_data_stream *stream;
	struct index *index;
	/* The original functions of KernelShark's stream interface. */
	stream_get_str_func get_info;
	stream_get_str_func get_task;
	load_entries_func load_entries;
	int ids[EVENT_KINDS]; /* event ids in the file; -1 if the file does not have the event */
	bool drawn;	      /* the plots were drawn since the last load */
};

/* The open streams. No lock is needed, because only one thread opens and closes streams. */
static struct open_stream *streams;

static struct open_stream *find_stream(const struct kshark_data_stream *stream)
{
	struct open_stream *open = streams;

	while (open && open->stream != stream)
		open = open->next;
	return open;
}

/*
 * Cache an event. For each row of a file, KernelShark searches a list of handlers. So the plugin registers
 * only one handler for each event kind, and one for the entries that KernelShark makes for missing rows.
 */
static void add_event(struct kshark_data_stream *stream, enum event_kind kind, void *record,
		      struct kshark_entry *entry)
{
	struct open_stream *open = find_stream(stream);

	if (open)
		index_add_event(open->index, kind, record, entry);
}

#define DEFINE_HANDLER(name, kind)                                                 \
	static void handle_##name(struct kshark_data_stream *stream, void *record, \
				  struct kshark_entry *entry)                      \
	{                                                                          \
		add_event(stream, kind, record, entry);                            \
	}

DEFINE_HANDLER(packet, EVENT_PACKET)
DEFINE_HANDLER(call, EVENT_CALL)
DEFINE_HANDLER(return, EVENT_RETURN)
DEFINE_HANDLER(drop, EVENT_DROP)

/* These events tell where graphs begin and end, and which packets exist. */
static const kshark_plugin_event_handler_func event_handlers[EVENT_KINDS] = {
	[EVENT_PACKET] = handle_packet,
	[EVENT_CALL] = handle_call,
	[EVENT_RETURN] = handle_return,
	[EVENT_DROP] = handle_drop,
};

static void handle_loss(struct kshark_data_stream *stream, void *record, struct kshark_entry *entry)
{
	struct open_stream *open = find_stream(stream);

	(void)record;
	if (open)
		index_add_loss(open->index, entry);
}

static ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
			    struct kshark_entry ***rows)
{
	struct open_stream *open = find_stream(stream);
	ssize_t n;

	if (!open)
		return -EFAULT;
	index_load_begins(open->index);
	open->drawn = false;
	n = open->load_entries(stream, context, rows);
	if (n > 0)
		index_loaded(open->index, *rows, n);
	return n;
}

/*
 * Escape a text for display, and free @text. Return: the escaped text; NULL if there is not enough memory.
 */
static char *escape_info(char *text)
{
	const size_t size = text ? ESCAPED_LEN(strlen(text)) : 0;
	char *copy = text ? malloc(size) : NULL;

	if (copy)
		escape_text(copy, size, text);
	free(text);
	return copy;
}

/*
 * Return: true for an event of record_skb. These events contain names of devices, tasks and nftables tables,
 * which users choose freely.
 */
static bool is_own_event(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct tep_handle *tep = kshark_get_tep(stream);
	const struct tep_event *event =
		tep && entry->event_id >= 0 ? tep_find_event(tep, entry->event_id) : NULL;

	return event && !strcmp(event->system, RECORD_SKB_MODULE);
}

static char *get_info(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct open_stream *open = find_stream(stream);
	const char *label;
	char *own, *both;

	if (!open)
		return NULL;
	own = open->get_info(stream, entry);
	if (is_own_event(stream, entry))
		own = escape_info(own);
	/*
	 * Entries with negative event ids were created by KernelShark itself. The file does not contain
	 * records for them.
	 */
	label = entry->event_id >= 0 ? index_label(open->index, entry) : NULL;
	both = own && label ? info_add_label(own, label) : NULL;
	if (!both)
		return own;
	free(own);
	return both;
}

/*
 * Return: the text beside a plot; an empty text for a flow plot, because the boxes extension draws its text.
 */
static char *get_task(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct open_stream *open = find_stream(stream);

	if (entry->pid < 0)
		return strdup("");
	return open ? escape_info(open->get_task(stream, entry)) : NULL;
}

static struct open_stream *find_stream_by_id(int stream_id)
{
	struct open_stream *open = streams;

	while (open && open->stream->stream_id != stream_id)
		open = open->next;
	return open;
}

static const struct packet_list *get_packets(int stream_id)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open ? index_packets(open->index) : NULL;
}

static bool get_packet_rows(int stream_id, uint32_t number, const struct kshark_entry **first,
			    const struct kshark_entry **last)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open && index_packet_rows(open->index, number, first, last);
}

static char *get_packet_text(int stream_id, uint32_t number)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open ? index_packet_text(open->index, number) : NULL;
}

static struct packet_span *get_spans(int stream_id, const struct view *view, size_t *n)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open ? index_spans(open->index, view, n) : NULL;
}

static struct packet_drop *get_drops(int stream_id, const struct view *view, size_t *n)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	*n = 0;
	return open ? index_drops(open->index, view, n) : NULL;
}

static void set_dropped(int stream_id, uint32_t number)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	if (open)
		index_set_dropped(open->index, number);
}

static size_t get_flows(int stream_id, uint32_t *flows, size_t max)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open ? index_flows(open->index, flows, max) : 0;
}

static char *get_flow_text(int stream_id, uint32_t flow)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	return open ? index_flow_text(open->index, flow) : NULL;
}

static struct plugin_api api = {
	.packets = get_packets,
	.rows = get_packet_rows,
	.text = get_packet_text,
	.spans = get_spans,
	.drops = get_drops,
	.set_dropped = set_dropped,
	.flows = get_flows,
	.flow_text = get_flow_text,
};

/* Draw a plot. KernelShark does this only after the rows have been loaded. */
static void draw_plot(struct kshark_cpp_argv *argv, int stream_id, int id, int action)
{
	struct open_stream *open = find_stream_by_id(stream_id);

	if (api.draw)
		api.draw(argv, stream_id, id, action);
	if (api.drawn && open && !open->drawn)
		api.drawn(stream_id);
	if (open)
		open->drawn = true;
}

/*
 * Load an extension if possible. It is not an error if this fails, because some programs use libkshark
 * without plots or windows.
 */
static void load_extension(const char *name)
{
	extension_init_func loader;
	char path[PATH_MAX];
	const char *slash;
	Dl_info self;
	void *part;

	if (!dladdr(&api, &self) || !self.dli_fname)
		return;
	/*
	 * The extension keeps a pointer to a variable of this plugin, so the plugin must not be unloaded.
	 */
	dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
	slash = strrchr(self.dli_fname, '/');
	if (!slash ||
	    (size_t)snprintf(path, sizeof(path), "%.*s/record_skb-%s.so",
			     (int)(slash - self.dli_fname), self.dli_fname, name) >= sizeof(path))
		return;
	part = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!part)
		return;
	loader = (extension_init_func)dlsym(part, EXTENSION_INIT_NAME);
	if (loader)
		loader(&api);
}

/* Load the packet list that was built for KernelShark's version of Qt, which is Qt 5 or Qt 6. */
static void load_list(void)
{
	const char *(*qt_version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "qVersion");
	char name[] = "list-qt?";

	if (!qt_version)
		return;
	name[sizeof(name) - 2] = qt_version()[0];
	load_extension(name);
}

static void load_extensions(void)
{
	static bool loaded;

	if (loaded)
		return;
	loaded = true;
	load_extension("boxes");
	load_list();
}

static struct kshark_generic_stream_interface *get_interface(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = stream->interface;

	if (!interface || interface->type != KS_GENERIC_DATA_INTERFACE || !interface->get_info ||
	    !interface->get_task || !interface->load_entries)
		return NULL;
	return interface;
}

static void register_handlers(struct open_stream *open, struct tep_handle *tep)
{
	const struct tep_event *event;
	int i;

	kshark_register_event_handler(open->stream, KS_EVENT_OVERFLOW, handle_loss);
	for (i = 0; i < EVENT_KINDS; i++) {
		event = event_handlers[i] ? tep_find_event_by_name(tep, event_names[i].system,
								   event_names[i].name) :
					    NULL;
		open->ids[i] = event ? event->id : -1;
		if (event)
			kshark_register_event_handler(open->stream, event->id, event_handlers[i]);
	}
}

__attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = get_interface(stream);
	struct tep_handle *tep;
	struct open_stream *open;

	if (!interface || !kshark_is_tep(stream) || find_stream(stream))
		return 0;
	tep = kshark_get_tep(stream);
	if (!tep || !tep_find_event_by_name(tep, "record_skb", "packet"))
		return 0;

	open = calloc(1, sizeof(*open));
	if (!open)
		return 0;
	open->stream = stream;
	open->index = index_new(stream, tep);
	if (!open->index) {
		free(open);
		return 0;
	}
	register_handlers(open, tep);
	open->get_info = interface->get_info;
	open->get_task = interface->get_task;
	open->load_entries = interface->load_entries;
	interface->get_info = get_info;
	interface->get_task = get_task;
	interface->load_entries = load_entries;
	open->next = streams;
	streams = open;

	load_extensions();
	kshark_register_draw_handler(stream, draw_plot);
	return 1;
}

__attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface;
	struct open_stream **next = &streams;
	struct open_stream *open;
	int i;

	while (*next && (*next)->stream != stream)
		next = &(*next)->next;
	open = *next;
	/* KernelShark also calls this function for streams for which the plugin was not initialized. */
	if (!open)
		return 0;
	*next = open->next;

	interface = get_interface(stream);
	if (interface && interface->get_info == get_info)
		interface->get_info = open->get_info;
	if (interface && interface->get_task == get_task)
		interface->get_task = open->get_task;
	if (interface && interface->load_entries == load_entries)
		interface->load_entries = open->load_entries;
	for (i = 0; i < EVENT_KINDS; i++) {
		if (open->ids[i] >= 0)
			kshark_unregister_event_handler(stream, open->ids[i], event_handlers[i]);
	}
	kshark_unregister_event_handler(stream, KS_EVENT_OVERFLOW, handle_loss);
	kshark_unregister_draw_handler(stream, draw_plot);
	index_free(open->index);
	free(open);
	return 1;
}
/*
 * KernelShark calls this function before a file is opened, and only if the plugin is loaded with the option
 * -p.
 */
__attribute__((visibility("default"))) void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui)
{
	api.gui = gui;
	return NULL;
}
