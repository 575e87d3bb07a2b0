// SPDX-License-Identifier: GPL-2.0
/* --check: what this machine has and lacks for a recording, and what mends it. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <tracefs.h>
#include <unistd.h>

#include "btf.h"
#include "files.h"
#include "install-line.h"
#include "machine-check.h"
#include "module.h"
#include "point-table.h"
#include "real-trace-cmd.h"
#include "redirected.h"
#include "session.h"
#include "strlist.h"
#include "tracing.h"
#include "watched-returns.h"

/**
 * struct finding - what was found of one thing
 * @has: it is as it should be
 * @unknown: nobody can say
 * @text: what there is, or why not; owned
 */
struct finding {
	bool has, unknown;
	char *text;
};

static struct finding found(const char *text)
{
	return (struct finding){ .has = true, .text = xstrdup(text) };
}

static struct finding lacks(const char *text)
{
	return (struct finding){ .text = xstrdup(text) };
}

static struct finding look_rights(void)
{
	return geteuid() ? lacks("you are not root") : found("root");
}

static struct finding look_tracefs(void)
{
	struct err err;

	if (geteuid())
		return lacks("only root can see");
	return tracing_find(&err) ? lacks(err.text) : found(tracefs_tracing_dir());
}

static struct finding look_tracer(void)
{
	struct err err;

	return tracing_check_tracer(&err) ? lacks(err.text) : found("function_graph");
}

static struct finding look_filter(void)
{
	return tracefs_file_exists(NULL, "set_ftrace_filter") ? found("set_ftrace_filter") :
								lacks("functions cannot be chosen");
}

/* What ftrace calls with an argument's registers, and has them changed by. */
static struct finding look_registers(void)
{
	FILE *names = fopen("/proc/kallsyms", "r");
	char line[512];
	bool has = false;

	while (names && !has && fgets(line, sizeof(line), names))
		has = strstr(line, " ftrace_regs_caller\n");
	if (names)
		fclose(names);
	return has ? found("ftrace_regs_caller") : lacks("ftrace hands on none");
}

static struct finding look_kprobes(void)
{
	return tracefs_file_exists(NULL, "kprobe_events") ? found("kprobe_events") : lacks("none");
}

static struct finding look_enabled(void)
{
	char *text = file_read("/proc/sys/kernel/ftrace_enabled");
	const bool on = text && !strcmp(text, "1");

	free(text);
	return on ? found("kernel.ftrace_enabled is 1") : lacks("kernel.ftrace_enabled is 0");
}

static struct finding look_types(void)
{
	return access(BTF_DIR "/vmlinux", R_OK) ?
		       lacks("no " BTF_DIR "/vmlinux: no -g, no --detail net") :
		       found(BTF_DIR "/vmlinux");
}

#define LOCKDOWN "/sys/kernel/security/lockdown"

static struct finding look_lockdown(void)
{
	char *text = file_read(LOCKDOWN);
	const bool allows = !text || !strstr(text, "[confidentiality]");
	struct finding finding =
		allows ? found(text ? "lets root trace" : "none is known of (" LOCKDOWN ")") :
			 lacks(text);

	free(text);
	return finding;
}

static struct finding look_module(void)
{
	struct err err;
	char *text;
	bool known;

	if (module_describe(&text, &known, &err))
		return lacks(err.text);
	return (struct finding){ .has = known, .unknown = !known, .text = text };
}

static struct finding look_recording(void)
{
	struct err err;

	return session_is_held(&err) ? lacks(err.text) : found("nobody records packets");
}

static struct finding look_tracing(void)
{
	struct err err;

	return tracing_check_free(&err) ? lacks(err.text) : found("current_tracer is nop");
}

static struct finding look_unread(void)
{
	const unsigned long long unread = tracing_unread();
	struct finding finding = { .has = !unread };

	finding.text = unread ? xasprintf("%llu entries of somebody's; a recording empties the "
					  "buffer",
					  unread) :
				xstrdup("nothing that nobody has read");
	return finding;
}

static struct finding look_instances(void)
{
	char *name = tracing_graph_instance();
	struct finding finding = { .has = !name };

	finding.text = name ? xasprintf("'%s' uses function_graph; it would see little", name) :
			      xstrdup("none uses function_graph");
	free(name);
	return finding;
}

static struct finding look_returns(void)
{
	char *name = watched_return();
	struct finding finding = { .has = !name };

	finding.text = name ? xasprintf("returns of %s are watched by fprobe; some would be missed",
					name) :
			      xstrdup("nobody watches returns by fprobe on fgraph");
	free(name);
	return finding;
}

static struct finding look_points(void)
{
	struct finding finding = { .has = true };
	struct strings redirected = {};
	char *all = NULL, *longer;

	redirected_read(&redirected);
	for (size_t i = 0; i < redirected.n; i++) {
		if (!place_find(redirected.v[i]))
			continue;
		longer = xasprintf("%s%s%s", all ? all : "redirected by others: ", all ? ", " : "",
				   redirected.v[i]);
		free(all);
		all = longer;
	}
	strings_free(&redirected);
	if (!all)
		return found("nobody else redirects them");
	finding.has = false;
	finding.text = all;
	return finding;
}

/* "PROGRAM version" says it; NULL if it does not. */
static char *version_of(const char *program)
{
	char *command = xasprintf("exec '%s' version 2>/dev/null", program), *version = NULL;
	FILE *said = strchr(program, '\'') ? NULL : popen(command, "r");
	char number[16];

	free(command);
	if (!said)
		return NULL;
	if (fscanf(said, " trace-cmd version %15[0-9.]", number) == 1)
		version = xstrdup(number);
	pclose(said);
	return version;
}

static struct finding look_trace_cmd(void)
{
	char *path = real_trace_cmd(), *version;
	struct finding finding = {};

	if (!path)
		return lacks(real_trace_cmd_lacks());
	version = version_of(path);
	finding.has = version;
	finding.text = version ? xasprintf("%s, version %s", path, version) :
				 xasprintf("%s does not say its version", path);
	free(version);
	free(path);
	return finding;
}

static struct finding look_program(const char *name)
{
	int error;
	char *path = find_program(name, &error);
	struct finding finding = path ? found(path) : lacks("not installed");

	free(path);
	return finding;
}

static struct finding look_report(void)
{
	return look_program("trace-cmd-report-skb");
}

static struct finding look_kernelshark(void)
{
	return look_program("kernelshark");
}

/* Where libtraceevent looks, as distributions build it; to be freed. NULL if it is nowhere. */
static char *plugin_path(void)
{
	const char *dir = getenv("TRACEEVENT_PLUGIN_DIR"), *home = getenv("HOME");
	char *patterns[] = {
		xasprintf("%s/plugin_record_skb.so", dir ? dir : "/nowhere"),
		xasprintf("%s/.local/lib/traceevent/plugins/plugin_record_skb.so",
			  home ? home : "/nowhere"),
		xstrdup("/usr{,/local}/lib{,64,/*-linux-gnu}/traceevent/plugins/plugin_record_skb.so"),
	};
	char *path = NULL;
	glob_t paths;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (!path && !glob(patterns[i], GLOB_BRACE, NULL, &paths)) {
			path = xstrdup(paths.gl_pathv[0]);
			globfree(&paths);
		}
		free(patterns[i]);
	}
	return path;
}

static struct finding look_plugin(void)
{
	char *path = plugin_path();
	struct finding finding = path ? found(path) : lacks("not where libtraceevent looks");

	free(path);
	return finding;
}

/* The one above loads it in KernelShark, from there. */
static struct finding look_kshark_plugin(void)
{
	char *plugin = plugin_path(), *beside, *path;
	struct finding finding;

	if (plugin)
		*strrchr(plugin, '/') = '\0';
	beside = xasprintf("%s/../../kernelshark/plugins/plugin-record_skb.so",
			   plugin ? plugin : "/nowhere");
	path = realpath(beside, NULL);
	finding = path ? found(path) : lacks("not beside the plugin");
	free(path);
	free(beside);
	free(plugin);
	return finding;
}

/**
 * struct check - one thing to look at
 * @what: its name
 * @look: looks
 * @needed: there is no recording without it
 * @hidden: without tracefs, and for who is not root, nobody can say
 * @mend: what helps if it is lacking; NULL if what was found says it
 * @package: ... to install it
 */
/* clang-format off */
static const struct check {
	const char *what;
	struct finding (*look)(void);
	bool needed, hidden;
	const char *mend, *package;
} checks[] = {
	{ "rights",           look_rights,        true,  false, "run it by sudo" },
	{ "tracefs",          look_tracefs,       true,  false, NULL },
	{ "tracer",           look_tracer,        true,  true,  "a kernel as distributions build it" },
	{ "function filter",  look_filter,        true,  true,  "a kernel with CONFIG_DYNAMIC_FTRACE" },
	{ "registers",        look_registers,     true,  false, "one with CONFIG_DYNAMIC_FTRACE_WITH_REGS" },
	{ "kprobes",          look_kprobes,       true,  true,  "a kernel with CONFIG_KPROBE_EVENTS" },
	{ "ftrace",           look_enabled,       true,  false, "sysctl kernel.ftrace_enabled=1" },
	{ "types (BTF)",      look_types,         false, false, "a kernel with CONFIG_DEBUG_INFO_BTF" },
	{ "lockdown",         look_lockdown,      true,  false, "boot without lockdown=confidentiality" },
	{ "module",           look_module,        true,  false, NULL },
	{ "other recordings", look_recording,     true,  true,  "wait for it, or end it" },
	{ "other tracing",    look_tracing,       true,  true,  "trace-cmd reset" },
	{ "unread trace",     look_unread,        false, true,  "trace-cmd extract -k, or --force" },
	{ "other instances",  look_instances,     false, true,  "--force" },
	{ "other probes",     look_returns,       false, true,  "--force" },
	{ "probe points",     look_points,        false, true,  "those are left out; end the live patch" },
	{ "trace-cmd",        look_trace_cmd,     true,  false, NULL, "trace-cmd" },
	{ "report-skb",       look_report,        false, false, "make install, in record-skb's sources" },
	{ "plugin",           look_plugin,        false, false, "make install, in record-skb's sources" },
	{ "kernelshark",      look_kernelshark,   false, false, NULL, "kernelshark" },
	{ "its plugin",       look_kshark_plugin, false, false, "make install, with libkshark-dev there" },
};
/* clang-format on */

int machine_check_hint(struct err *err)
{
	const struct err why = *err;

	return err_set(
		err, "%.640s; 'trace-cmd record-skb --check' shows what this machine has and lacks",
		why.text);
}

static void print_mend(FILE *out, const struct check *check)
{
	char *line = check->package ? install_line(OS_RELEASE, check->package) : NULL;

	if (line || check->mend)
		fprintf(out, "%-26sto mend it: %s\n", "", line ? line : check->mend);
	free(line);
}

static struct finding look(const struct check *check, bool sees)
{
	if (check->hidden && !sees)
		return (struct finding){ .unknown = true, .text = xstrdup("cannot be seen") };
	return check->look();
}

/* Returns whether it stands against a recording; @unsure is set if that is not known. */
static bool print_check(FILE *out, const struct check *check, bool sees, bool *unsure)
{
	struct finding finding = look(check, sees);

	fprintf(out, "%-8s%-18s%s\n",
		finding.unknown ? "unknown" :
		finding.has	? "ok" :
		check->needed	? "LACKS" :
				  "without",
		check->what, finding.text);
	if (!finding.has && !finding.unknown)
		print_mend(out, check);
	free(finding.text);
	*unsure |= finding.unknown && check->needed;
	return !finding.has && !finding.unknown && check->needed;
}

bool machine_check_print(FILE *out)
{
	struct utsname kernel;
	struct err err;
	const bool sees = !geteuid() && !tracing_find(&err);
	bool good, unsure = false;

	uname(&kernel);
	fprintf(out, "%-8s%-18s%s, %s\n", strcmp(kernel.machine, "x86_64") ? "LACKS" : "ok",
		"kernel", kernel.release, kernel.machine);
	good = !strcmp(kernel.machine, "x86_64");
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		good &= !print_check(out, &checks[i], sees, &unsure);
	fputs(!good  ? "no recording is possible before that is mended\n" :
	      unsure ? "a recording is possible, unless what is unknown stands against it\n" :
		       "a recording is possible\n",
	      out);
	return good;
}
