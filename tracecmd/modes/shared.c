// SPDX-License-Identifier: GPL-2.0
/*
 * shared.c - --shared: the tracing instance of a shared recording, and the settings that all shared
 * recordings have in common
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "modes/shared.h"
#include "module/module.h"
#include "module/module_client.h"
#include "record_skb.h"
#include "tracefs/tracer_users.h"
#include "text.h"
#include "tracefs/instances.h"
#include "tracefs/function_filters.h"

#define INSTANCE RECORD_SKB_MODULE
/*
 * Beginning of the name of a tracing instance that a recording creates for a moment, to occupy slot 0 of
 * fgraph; see tracefs/instances.h.
 */
#define HOLDER RECORD_SKB_MODULE "_first"

/*
 * Pass the module the list of settings that all shared recordings have in common. If all shared recordings
 * are killed, the module restores these settings before the next recording begins. Returns 0 or -1.
 */
static int list_common(int session, struct err *err)
{
	struct restore_list list = {};

	shared_state_list(&list);
	restore_list_add(&list, "set_graph_function", "",
			 RECORD_SKB_SETTING_TRUNCATE | RECORD_SKB_SETTING_GRAPH_OFF);
	restore_list_add(&list, "set_graph_notrace", "",
			 RECORD_SKB_SETTING_TRUNCATE | RECORD_SKB_SETTING_GRAPH_OFF);
	return restore_list_set(&list, session, true, err);
}

/*
 * Remove the tracing instances that killed recordings have left. Such an instance may still have a tracer,
 * which is removed first. Returns 0 or -1.
 */
static int remove_instances(int instances, struct err *err)
{
	int ret = 0;

	for (unsigned int i = 1; !ret && i <= RECORD_SKB_MAX_SHARED; i++) {
		char *holder = recording_name(HOLDER, i), *instance = recording_name(INSTANCE, i);

		ret = instance_remove(instances, holder);
		if (!ret)
			ret = instance_remove(instances, instance);
		if (ret)
			err_set(err, "cannot remove the tracing instance '%s': %s", instance,
				strerror(-ret));
		free(instance);
		free(holder);
	}
	return ret ? -1 : 0;
}

/*
 * Change the settings that shared recordings have in common, before any tracer is on. Only the first shared
 * recording calls this function. Returns 0 or -1.
 */
static int begin_common(int instances, int session, bool *loaded, struct err *err)
{
	*loaded |= shared_state_forget();
	if (remove_instances(instances, err) || tracing_check_graph_race(session, err))
		return -1;
	graph_gates_remove(session_graph_race(session));
	if (graph_gates_check(err) || shared_state_note(*loaded, err) || list_common(session, err))
		return -1;
	shared_state_begin();
	return session_graph_race(session) ? graph_gates_add_shared(err) : 0;
}

int shared_join(struct shared *shared, struct err *err)
{
	int session = -1, brief;
	bool first, loaded;
	struct err ignored;

	shared->lock = lock_join(&shared->instances, &brief, &first, err);
	if (shared->lock < 0)
		return -1;
	if (!module_load(&loaded, err)) {
		session = session_open(&shared->recording, err);
		shared->race = session >= 0 && session_graph_race(session);
		if (session >= 0 && first &&
		    begin_common(shared->instances, session, &loaded, err)) {
			graph_gates_remove(shared->race);
			shared_state_end();
			restore_list_forget(session, true);
			close(session);
			session = -1;
		}
		if (session < 0 && loaded)
			module_unload(&ignored);
	}
	close(brief);
	return session;
}

/*
 * Set a trace option of a tracing instance. Ignore errors: on some kernels, instances do not have all
 * options.
 */
static void set_option(int instances, const char *name, const struct recording_option *option)
{
	char *file = xasprintf("options/%s", option->name);

	instance_set(instances, name, file, option->value);
	free(file);
}

static int make_instance(int instances, const char *name, struct err *err)
{
	/* A killed recording with the same number may have left this instance. Remove it. */
	int ret = instance_remove(instances, name);

	if (!ret)
		ret = instance_make(instances, name);
	if (ret)
		return err_set(err, "cannot create the tracing instance '%s': %s", name,
			       strerror(-ret));
	/*
	 * A new instance starts with the options of the top instance, so set all options that a recording
	 * needs.
	 */
	for (size_t i = 0; i < nr_recording_options; i++)
		set_option(instances, name, &recording_options[i]);
	instance_set(instances, name, "trace_clock", recording_clock());
	/*
	 * trace-cmd must not set this option, because it resets its options at the end of a recording. On
	 * kernels where all instances share the option, that would affect other recordings.
	 */
	instance_set(instances, name, "options/funcgraph-irqs", "0");
	return 0;
}

/*
 * Pass the module a list of the instances and gates of this recording. If all processes of the recording are
 * killed, the module removes them. Returns 0 or -1.
 */
static int list_own(const struct shared *shared, int session, const char *holder,
		    const char *instance, struct err *err)
{
	char *gate = xasprintf("!%s_%u\n", RECORD_SKB_GATE, shared->recording);
	char *hide = xasprintf("!%s_%u\n", RECORD_SKB_HIDE, shared->recording);
	struct restore_list list = {};

	restore_list_add_instance(&list, holder);
	restore_list_add_instance(&list, instance);
	if (!shared->race) {
		restore_list_add(&list, "set_graph_function", gate, 0);
		restore_list_add(&list, "set_graph_notrace", hide, 0);
	}
	free(gate);
	free(hide);
	return restore_list_set(&list, session, false, err);
}

static int begin_instance(const struct shared *shared, const char *instance, int session,
			  struct err *err)
{
	char *holder = recording_name(HOLDER, shared->recording);
	char *gate = recording_name(RECORD_SKB_GATE, shared->recording);
	const int brief = lock_brief(shared->instances, err);
	int ret = brief < 0 || graph_gates_check(err) ||
				  list_own(shared, session, holder, instance, err) ||
				  make_instance(shared->instances, instance, err) ||
				  (!shared->race && graph_gates_add(shared->recording, err)) ||
				  fgraph_slot0_take(shared->instances, holder, gate, session, err) ?
			  -1 :
			  0;

	if (brief >= 0)
		close(brief);
	free(holder);
	free(gate);
	return ret;
}

int shared_begin(const struct shared *shared, int session, struct err *err)
{
	char *instance = recording_name(INSTANCE, shared->recording);
	const int ret = begin_instance(shared, instance, session, err) ||
					instance_overlay_show(instance, err) ?
				-1 :
				0;

	free(instance);
	return ret;
}

void shared_settled(const struct shared *shared)
{
	char *holder;

	if (!shared->recording)
		return;
	holder = recording_name(HOLDER, shared->recording);

	fgraph_slot0_release(shared->instances, holder);
	free(holder);
}

/*
 * Return -EBUSY if set_graph_function must not be changed now, because another tracing instance may be
 * reading it. Otherwise return 0.
 */
static int check_readers(const struct shared *shared, struct err *err)
{
	char *instance = shared->race && graph_gates_are_there() ? tracing_graph_instance() : NULL;

	if (!instance)
		return 0;
	err_set(err,
		"set_graph_function will be restored as soon as the tracing instance '%s' does "
		"not use function_graph: before that, a change could crash this kernel",
		instance);
	free(instance);
	return -EBUSY;
}

static int restore_shared(const struct shared *shared, struct err *err)
{
	char *instance = recording_name(INSTANCE, shared->recording);
	const int ret = instance_remove(shared->instances, instance);

	if (ret)
		err_set(err,
			"cannot remove the tracing instance '%s': %s; it will be removed when no "
			"process has its files open",
			instance, strerror(-ret));
	else if (!shared->race)
		graph_gates_remove_one(shared->recording);
	free(instance);
	return ret;
}

int shared_leave(struct shared *shared, int session, const struct home *home, bool *unload,
		 struct err *err)
{
	int brief, ret = 0;

	if (shared->lock < 0)
		return 0;
	*unload = false;
	if (home_return(home))
		return err_set(err, "cannot leave the mount namespace of the recording: %s",
			       strerror(errno));
	brief = lock_brief(shared->instances, err);
	if (brief < 0)
		return -1;
	shared_settled(shared);
	if (shared->recording)
		ret = restore_shared(shared, err);
	if (!ret && lock_is_last(shared->lock))
		ret = check_readers(shared, err);
	if (!ret && lock_is_last(shared->lock)) {
		graph_gates_remove(shared->race);
		*unload = shared_state_end();
		if (session >= 0)
			restore_list_forget(session, true);
	}
	close(brief);
	return ret;
}

#define STATE "/run/record-skb-shared"
/*
 * The number from module_number() has a line of its own in the state file. This is the first word of the
 * line.
 */
#define MODULE "module"

/*
 * Names of function_graph's options, which all tracing instances share before Linux 6.18. A name that ends
 * with "-" is the beginning of several options' names.
 */
static const char *const options[] = { "funcgraph-", "graph-time", "sleep-time" };

/*
 * Other settings that all tracing instances share. @neutral is the value with which the setting hides no
 * event. It is NULL if shared recordings do not change the setting when they begin.
 */
static const struct {
	const char *file, *neutral;
} settings[] = {
	{ "max_graph_depth", "0" },
	{ "tracing_thresh", "0" },
	{ "saved_cmdlines_size", NULL },
	{ "/proc/sys/kernel/ftrace_enabled", NULL },
};
#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* Return a number that is different each time the module is loaded; 0 if the module is not loaded. */
static unsigned long long module_number(void)
{
	struct stat st;

	return stat("/sys/module/" RECORD_SKB_MODULE, &st) ? 0 : st.st_ino;
}

static bool is_graph_option(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const size_t n = strlen(options[i]);

		if (!strncmp(name, options[i], n) && (!name[n] || name[n - 1] == '-'))
			return true;
	}
	return false;
}

static void save_setting(FILE *out, const char *file)
{
	char *value = file_read(file);

	if (value)
		fprintf(out, "%s %s\n", file, value);
	free(value);
}

static void save_options(FILE *out)
{
	char *path = tracefs_get_tracing_file("options");
	DIR *stream = path ? opendir(path) : NULL;
	struct dirent *entry;

	tracefs_put_tracing_file(path);
	while (stream && (entry = readdir(stream))) {
		char *file = xasprintf("options/%s", entry->d_name);

		if (is_graph_option(entry->d_name))
			save_setting(out, file);
		free(file);
	}
	if (stream)
		closedir(stream);
}

/*
 * Write the settings to a new file, and rename this to the state file. Thus another recording never reads an
 * incomplete state file. Returns 0 or -1.
 */
static int write_state(bool module_loaded, struct err *err)
{
	char new[] = STATE ".XXXXXX";
	const int fd = mkstemp(new);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;

	if (!out)
		return err_set(err, "cannot write " STATE ": %s", strerror(errno));
	if (module_loaded)
		fprintf(out, MODULE " %llu\n", module_number());
	save_options(out);
	for (size_t i = 0; i < NR_SETTINGS; i++)
		save_setting(out, settings[i].file);
	bad = ferror(out);
	if (!fclose(out) && !bad && !rename(new, STATE))
		return 0;
	err_set(err, "cannot write " STATE ": %s", strerror(errno));
	unlink(new);
	return -1;
}

static void restore_setting(const char *file, const char *value)
{
	char *is = file_read(file);

	if (is && strcmp(is, value))
		file_write(file, value);
	free(is);
}

/*
 * Set an option to the value that a recording needs, if it is an option of function_graph. Before Linux 6.18,
 * all tracing instances share these options.
 */
static void set_graph_option(const struct recording_option *option)
{
	char *file = xasprintf("options/%s", option->name);

	if (is_graph_option(option->name))
		restore_setting(file, option->value);
	free(file);
}

int shared_state_note(bool module_loaded, struct err *err)
{
	return write_state(module_loaded, err);
}

void shared_state_begin(void)
{
	for (size_t i = 0; i < nr_recording_options; i++)
		set_graph_option(&recording_options[i]);
	for (size_t i = 0; i < NR_SETTINGS; i++)
		if (settings[i].neutral)
			restore_setting(settings[i].file, settings[i].neutral);
}

void shared_state_list(struct restore_list *list)
{
	char *text = file_read(STATE), *rest = text, *line, *value;

	while (rest && (line = strsep(&rest, "\n"))) {
		value = strchr(line, ' ');
		if (!value)
			continue;
		*value++ = '\0';
		/* Skip files of proc(5): the module can restore only files of tracefs. */
		if (strcmp(line, MODULE) && *line != '/')
			restore_list_add(list, line, value, 0);
	}
	free(text);
}

/*
 * Remove the state file. If @restore is true, restore the settings in the file first. Return true if the
 * module was loaded by a shared recording, and was not loaded again since.
 */
static bool end_state(bool restore)
{
	char *text = file_read(STATE), *rest = text, *line, *value;
	bool ours = false;

	while (rest && (line = strsep(&rest, "\n"))) {
		value = strchr(line, ' ');
		if (!value)
			continue;
		*value++ = '\0';
		if (!strcmp(line, MODULE))
			ours = module_number() && strtoull(value, NULL, 10) == module_number();
		else if (restore)
			restore_setting(line, value);
	}
	unlink(STATE);
	free(text);
	return ours;
}

bool shared_state_end(void)
{
	return end_state(true);
}

bool shared_state_forget(void)
{
	return end_state(false);
}
