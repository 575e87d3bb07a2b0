// SPDX-License-Identifier: LGPL-2.1
/*
 * plugin_kshark.c - the packets in KernelShark: in the Info column here, the rest in parts
 *
 * KernelShark asks for the text of a row when it shows or searches it, in any order and from
 * several threads. So rows are indexed while the file is loaded, and the stream's get_info() is
 * ours.
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

#include "index.h"
#include "info.h"
#include "parts.h"

struct shown {
	struct shown *next;
	struct kshark_data_stream *stream;
	struct index *index;
	/* KernelShark's own */
	stream_get_str_func get_info;
	stream_get_str_func get_task;
	load_entries_func load_entries;
	int ids[EVENT_KINDS]; /* of the events; -1 where the file has none */
	bool drawn;	      /* since the last load */
};

/* One for each stream. Streams are opened and closed by one thread. */
static struct shown *all;

static struct shown *find(const struct kshark_data_stream *stream)
{
	struct shown *shown = all;

	while (shown && shown->stream != stream)
		shown = shown->next;
	return shown;
}

/*
 * At each row of a file a handler is looked for in a list: it has no more than it takes. That rows are
 * missing KernelShark says by a row of its own.
 */
static void note_kind(struct kshark_data_stream *stream, enum event_kind kind, void *record,
		      struct kshark_entry *entry)
{
	struct shown *shown = find(stream);

	if (shown)
		index_note(shown->index, kind, record, entry);
}

#define NOTE(name, kind)                                                         \
	static void note_##name(struct kshark_data_stream *stream, void *record, \
				struct kshark_entry *entry)                      \
	{                                                                        \
		note_kind(stream, kind, record, entry);                          \
	}

NOTE(packet, EVENT_PACKET)
NOTE(call, EVENT_CALL)
NOTE(return, EVENT_RETURN)
NOTE(drop, EVENT_DROP)

/* From these it is known where graphs begin and where they end, and which packets there are. */
static const kshark_plugin_event_handler_func note[EVENT_KINDS] = {
	[EVENT_PACKET] = note_packet,
	[EVENT_CALL] = note_call,
	[EVENT_RETURN] = note_return,
	[EVENT_DROP] = note_drop,
};

static void note_loss(struct kshark_data_stream *stream, void *record, struct kshark_entry *entry)
{
	struct shown *shown = find(stream);

	(void)record;
	if (shown)
		index_note_loss(shown->index, entry);
}

static ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
			    struct kshark_entry ***rows)
{
	struct shown *shown = find(stream);
	ssize_t n;

	if (!shown)
		return -EFAULT;
	index_load_begins(shown->index);
	shown->drawn = false;
	n = shown->load_entries(stream, context, rows);
	if (n > 0)
		index_loaded(shown->index, *rows, n);
	return n;
}

static char *get_info(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct shown *shown = find(stream);
	const char *label;
	char *own, *both;

	if (!shown)
		return NULL;
	own = shown->get_info(stream, entry);
	/* Entries of KernelShark's own have numbers below zero, and no place in the file. */
	label = entry->event_id >= 0 ? index_label(shown->index, entry) : NULL;
	both = own && label ? info_labelled(own, label) : NULL;
	if (!both)
		return own;
	free(own);
	return both;
}

/* In front of a plot. What is there for a lane, the boxes put there. */
static char *get_task(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct shown *shown = find(stream);

	if (entry->pid < 0)
		return strdup("");
	return shown ? shown->get_task(stream, entry) : NULL;
}

static struct shown *find_id(int stream_id)
{
	struct shown *shown = all;

	while (shown && shown->stream->stream_id != stream_id)
		shown = shown->next;
	return shown;
}

static const struct packets *packets_of(int stream_id)
{
	struct shown *shown = find_id(stream_id);

	return shown ? index_packets(shown->index) : NULL;
}

static bool rows_of(int stream_id, uint32_t number, const struct kshark_entry **first,
		    const struct kshark_entry **last)
{
	struct shown *shown = find_id(stream_id);

	return shown && index_packet_rows(shown->index, number, first, last);
}

static char *text_of(int stream_id, uint32_t number)
{
	struct shown *shown = find_id(stream_id);

	return shown ? index_packet_text(shown->index, number) : NULL;
}

static struct stay *stays_of(int stream_id, const struct view *view, size_t *n)
{
	struct shown *shown = find_id(stream_id);

	return shown ? index_stays(shown->index, view, n) : NULL;
}

static size_t flows_of(int stream_id, uint32_t *flows, size_t max)
{
	struct shown *shown = find_id(stream_id);

	return shown ? index_flows(shown->index, flows, max) : 0;
}

static char *flow_text_of(int stream_id, uint32_t flow)
{
	struct shown *shown = find_id(stream_id);

	return shown ? index_flow_text(shown->index, flow) : NULL;
}

static struct parts parts = {
	.packets = packets_of,
	.rows = rows_of,
	.text = text_of,
	.stays = stays_of,
	.flows = flows_of,
	.flow_text = flow_text_of,
};

/* Plots are drawn of what has been loaded. */
static void draw(struct kshark_cpp_argv *argv, int stream_id, int id, int action)
{
	struct shown *shown = find_id(stream_id);

	if (parts.draw)
		parts.draw(argv, stream_id, id, action);
	if (parts.drawn && shown && !shown->drawn)
		parts.drawn(stream_id);
	if (shown)
		shown->drawn = true;
}

/* A part that cannot be loaded is left out: not all that has libkshark has plots, or a window. */
static void load_part(const char *name)
{
	part_loader_func loader;
	char path[PATH_MAX];
	const char *slash;
	Dl_info self;
	void *part;

	if (!dladdr(&parts, &self) || !self.dli_fname)
		return;
	/* The part keeps a pointer to us, and KernelShark may close us. */
	dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
	slash = strrchr(self.dli_fname, '/');
	if (!slash ||
	    (size_t)snprintf(path, sizeof(path), "%.*s/record_skb-%s.so",
			     (int)(slash - self.dli_fname), self.dli_fname, name) >= sizeof(path))
		return;
	part = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!part)
		return;
	loader = (part_loader_func)dlsym(part, PART_LOADER_NAME);
	if (loader)
		loader(&parts);
}

/* Qt's version, where KernelShark's window is; parts are built for one or the other. */
static void load_list(void)
{
	const char *(*qt_version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "qVersion");
	char name[] = "list-qt?";

	if (!qt_version)
		return;
	name[sizeof(name) - 2] = qt_version()[0];
	load_part(name);
}

static void load_parts(void)
{
	static bool loaded;

	if (loaded)
		return;
	loaded = true;
	load_part("boxes");
	load_list();
}

static struct kshark_generic_stream_interface *interface_of(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = stream->interface;

	if (!interface || interface->type != KS_GENERIC_DATA_INTERFACE || !interface->get_info ||
	    !interface->get_task || !interface->load_entries)
		return NULL;
	return interface;
}

static void register_handlers(struct shown *shown, struct tep_handle *tep)
{
	const struct tep_event *event;
	int i;

	kshark_register_event_handler(shown->stream, KS_EVENT_OVERFLOW, note_loss);
	for (i = 0; i < EVENT_KINDS; i++) {
		event = note[i] ? tep_find_event_by_name(tep, event_names[i].system,
							 event_names[i].name) :
				  NULL;
		shown->ids[i] = event ? event->id : -1;
		if (event)
			kshark_register_event_handler(shown->stream, event->id, note[i]);
	}
}

__attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = interface_of(stream);
	struct tep_handle *tep;
	struct shown *shown;

	if (!interface || !kshark_is_tep(stream) || find(stream))
		return 0;
	tep = kshark_get_tep(stream);
	if (!tep || !tep_find_event_by_name(tep, "record_skb", "packet"))
		return 0;

	shown = calloc(1, sizeof(*shown));
	if (!shown)
		return 0;
	shown->stream = stream;
	shown->index = index_new(stream, tep);
	if (!shown->index) {
		free(shown);
		return 0;
	}
	register_handlers(shown, tep);
	shown->get_info = interface->get_info;
	shown->get_task = interface->get_task;
	shown->load_entries = interface->load_entries;
	interface->get_info = get_info;
	interface->get_task = get_task;
	interface->load_entries = load_entries;
	shown->next = all;
	all = shown;

	load_parts();
	kshark_register_draw_handler(stream, draw);
	return 1;
}

__attribute__((visibility("default"))) int
KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface;
	struct shown **next = &all;
	struct shown *shown;
	int i;

	while (*next && (*next)->stream != stream)
		next = &(*next)->next;
	shown = *next;
	/* KernelShark also closes a stream that is none. */
	if (!shown)
		return 0;
	*next = shown->next;

	interface = interface_of(stream);
	if (interface && interface->get_info == get_info)
		interface->get_info = shown->get_info;
	if (interface && interface->get_task == get_task)
		interface->get_task = shown->get_task;
	if (interface && interface->load_entries == load_entries)
		interface->load_entries = shown->load_entries;
	for (i = 0; i < EVENT_KINDS; i++) {
		if (shown->ids[i] >= 0)
			kshark_unregister_event_handler(stream, shown->ids[i], note[i]);
	}
	kshark_unregister_event_handler(stream, KS_EVENT_OVERFLOW, note_loss);
	kshark_unregister_draw_handler(stream, draw);
	index_free(shown->index);
	free(shown);
	return 1;
}
/* Only where the plugin is loaded before a file is, with the option -p. */
__attribute__((visibility("default"))) void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui)
{
	parts.gui = gui;
	return NULL;
}
