// SPDX-License-Identifier: GPL-2.0
/*
 * check.c - --check: print if a recording is possible here, and how to install or enable missing parts with
 * the package manager of this distribution
 */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <tracefs.h>
#include <unistd.h>

#include "check.h"
#include "text.h"
#include "probes/kernel_types.h"
#include "tracefs/files.h"
#include "module/module.h"
#include "probes/probe_table.h"
#include "dispatch/real_trace_cmd.h"
#include "tracefs/tracer_users.h"
#include "module/module_client.h"
#include "recorder/processes.h"
#include "tracefs/function_filters.h"

/**
 * struct family - distributions with the same package manager
 * @id: name of the family, which os-release has in the field ID or ID_LIKE
 * @command: shell command that installs packages
 * @headers: name of the package with the kernel headers; the kernel's release is appended if
 *	@has_release is true
 */
/* clang-format off */
static const struct family {
	const char *id, *command, *headers;
	bool has_release;
} families[] = {
	{ "debian", "apt install ",    "linux-headers-",       true },
	{ "ubuntu", "apt install ",    "linux-headers-",       true },
	{ "fedora", "dnf install ",    "kernel-devel-",        true },
	{ "rhel",   "dnf install ",    "kernel-devel-",        true },
	{ "suse",   "zypper install ", "kernel-default-devel", false },
};
/* clang-format on */

static const struct family unknown = {
	.command = "install the package ",
	.headers = "with the headers of kernel ",
	.has_release = true,
};

/*
 * Return the family of distributions that a line of os-release names, such as ID_LIKE="rhel fedora"; NULL if
 * it names none.
 */
static const struct family *family_of_line(const char *line)
{
	const char *words;
	size_t n;

	if (strncmp(line, "ID=", 3) && strncmp(line, "ID_LIKE=", 8))
		return NULL;
	for (words = strchr(line, '='); *words; words += n) {
		words += strspn(words, "=\"' \n");
		n = strcspn(words, "\"' \n");
		for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
			if (strlen(families[i].id) == n && !strncmp(families[i].id, words, n))
				return &families[i];
	}
	return NULL;
}

static const struct family *family_of(const char *os_release)
{
	FILE *in = fopen(os_release, "re");
	const struct family *family = NULL;
	char line[256];

	while (in && !family && fgets(line, sizeof(line), in))
		family = family_of_line(line);
	if (in)
		fclose(in);
	return family ? family : &unknown;
}

char *package_hint(const char *os_release, const char *package)
{
	return xasprintf("%s%s", family_of(os_release)->command, package);
}

char *package_hint_headers(const char *os_release, const char *release)
{
	const struct family *family = family_of(os_release);

	return xasprintf("%s%s%s", family->command, family->headers,
			 family->has_release ? release : "");
}

/**
 * struct finding - the result of one check
 * @has: true if the check passed
 * @unknown: true if the check was not possible, so that @has means nothing
 * @text: what the check found, or the reason why it failed; owned
 */
struct finding {
	bool has, unknown;
	char *text;
};

static struct finding finding_present(const char *text)
{
	return (struct finding){ .has = true, .text = xstrdup(text) };
}

static struct finding finding_missing(const char *text)
{
	return (struct finding){ .text = xstrdup(text) };
}

static struct finding check_rights(void)
{
	return geteuid() ? finding_missing("you are not root") : finding_present("root");
}

static struct finding check_tracefs(void)
{
	struct err err;

	if (geteuid())
		return finding_missing("only root can check this");
	return tracing_find(&err) ? finding_missing(err.text) :
				    finding_present(tracefs_tracing_dir());
}

static struct finding check_tracer(void)
{
	struct err err;

	return tracing_check_tracer(&err) ? finding_missing(err.text) :
					    finding_present("function_graph");
}

static struct finding check_filter(void)
{
	return tracefs_file_exists(NULL, "set_ftrace_filter") ?
		       finding_present("set_ftrace_filter") :
		       finding_missing("functions cannot be selected");
}

/* Return true if the module has code for the architecture of this kernel. */
static bool is_supported(const char *machine)
{
	return !strcmp(machine, "x86_64") || !strcmp(machine, "aarch64");
}

/*
 * Check that ftrace passes the registers of a call to the module, and lets the module change the instruction
 * pointer. On x86-64, the symbol ftrace_regs_caller shows this. On arm64, ftrace has only one trampoline,
 * which does both from Linux 6.2 on.
 */
static struct finding check_registers(void)
{
	FILE *names = fopen("/proc/kallsyms", "r");
	struct utsname kernel;
	const char *caller = "ftrace_regs_caller";
	char line[512], wanted[32];
	unsigned int major = 0, minor = 0;
	bool has = false;

	uname(&kernel);
	if (!strcmp(kernel.machine, "aarch64")) {
		caller = "ftrace_caller";
		sscanf(kernel.release, "%u.%u", &major, &minor);
		if (major < 6 || (major == 6 && minor < 2))
			return finding_missing("on arm64, record-skb needs Linux 6.2 or later");
	}
	snprintf(wanted, sizeof(wanted), " %s\n", caller);
	while (names && !has && fgets(line, sizeof(line), names))
		has = strstr(line, wanted);
	if (names)
		fclose(names);
	return has ? finding_present(caller) : finding_missing("ftrace does not pass them on");
}

static struct finding check_kprobes(void)
{
	return tracefs_file_exists(NULL, "kprobe_events") ? finding_present("kprobe_events") :
							    finding_missing("none");
}

static struct finding check_enabled(void)
{
	char *text = file_read("/proc/sys/kernel/ftrace_enabled");
	const bool on = text && !strcmp(text, "1");

	free(text);
	return on ? finding_present("kernel.ftrace_enabled is 1") :
		    finding_missing("kernel.ftrace_enabled is 0");
}

static struct finding check_types(void)
{
	return access(BTF_DIR "/vmlinux", R_OK) ?
		       finding_missing("no " BTF_DIR "/vmlinux, which -g and --detail net need") :
		       finding_present(BTF_DIR "/vmlinux");
}

static struct finding check_lockdown(void)
{
	char *text = file_read(LOCKDOWN);
	struct finding finding;

	if (text && strstr(text, "[confidentiality]"))
		finding = finding_missing(text);
	else if (text)
		finding = finding_present("it allows tracing");
	else if (lockdown_is_visible())
		finding = finding_present("this kernel has none (no " LOCKDOWN ")");
	else
		finding = (struct finding){ .unknown = true,
					    .text = xstrdup("securityfs is not mounted on "
							    "/sys/kernel/security") };

	free(text);
	return finding;
}

static struct finding check_module(void)
{
	struct err err;
	char *text;
	bool known;

	if (module_describe(&text, &known, &err))
		return finding_missing(err.text);
	return (struct finding){ .has = known, .unknown = !known, .text = text };
}

static struct finding check_recording(void)
{
	struct err err;

	return session_is_held(&err) ? finding_missing(err.text) :
				       finding_present("no recording is running");
}

static struct finding check_tracing(void)
{
	struct err err;

	if (!session_is_held(&err) && !session_is_restoring() && leftovers_restore(true))
		return finding_present(LEFTOVERS_RESTORED);
	return tracing_check_free(&err) ? finding_missing(err.text) :
					  finding_present("current_tracer is nop");
}

static struct finding check_unread(void)
{
	const unsigned long long unread = tracing_unread();
	struct finding finding = { .has = !unread };

	finding.text = unread ? xasprintf("%llu unread entries, which a recording "
					  "would remove",
					  unread) :
				xstrdup("no unread entries");
	return finding;
}

static struct finding check_instances(void)
{
	char *name = tracing_graph_instance();
	struct finding finding = { .has = !name };

	finding.text =
		name ? xasprintf("'%s' uses function_graph, and would miss most calls", name) :
		       xstrdup("none uses function_graph");
	free(name);
	return finding;
}

static struct finding check_returns(void)
{
	char *name = fprobe_users_find();
	struct finding finding = { .has = true };

	finding.text = name ? xasprintf("fprobe traces returns of %s; recording costs more", name) :
			      xstrdup("no fprobe on fgraph traces returns");
	free(name);
	return finding;
}

static struct finding check_points(void)
{
	struct finding finding = { .has = true };
	struct strings redirected = {};
	char *all = NULL, *longer;

	ipmodify_users_read(&redirected);
	for (size_t i = 0; i < redirected.n; i++) {
		if (!probe_table_find(redirected.v[i]))
			continue;
		longer = xasprintf("%s%s%s", all ? all : "redirected by others: ", all ? ", " : "",
				   redirected.v[i]);
		free(all);
		all = longer;
	}
	strings_free(&redirected);
	if (!all)
		return finding_present("no other user redirects them");
	finding.has = false;
	finding.text = all;
	return finding;
}

#define VERSION_MSEC 10000

static bool take_version(char *line, void *data)
{
	char number[16], **version = data;

	if (sscanf(line, " trace-cmd version %15[0-9.]", number) == 1)
		*version = xstrdup(number);
	return *version;
}

/* Return the version that "PROGRAM version" prints, to be freed; NULL if it prints none. */
static char *version_of(char *program)
{
	char *version = NULL;

	limited_command_run((char *[]){ program, "version", NULL }, VERSION_MSEC, take_version,
			    &version);
	return version;
}

static struct finding check_trace_cmd(void)
{
	char *path = real_trace_cmd(), *version;
	struct finding finding = {};

	if (!path)
		return finding_missing(real_trace_cmd_lacks());
	version = version_of(path);
	finding.has = version;
	finding.text = version ? xasprintf("%s, version %s", path, version) :
				 xasprintf("%s does not print its version", path);
	free(version);
	free(path);
	return finding;
}

static struct finding check_program(const char *name)
{
	int error;
	char *path = find_program(name, &error);
	struct finding finding = path ? finding_present(path) : finding_missing("not installed");

	free(path);
	return finding;
}

static struct finding check_report(void)
{
	return check_program("trace-cmd-report-skb");
}

static struct finding check_kernelshark(void)
{
	return check_program("kernelshark");
}

/*
 * Return the path of our plugin for trace-cmd, in the folders where libtraceevent searches, to be freed. NULL
 * if the plugin is not installed.
 */
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

static struct finding check_plugin(void)
{
	char *path = plugin_path();
	struct finding finding =
		path ? finding_present(path) :
		       finding_missing("not in a directory that libtraceevent searches");

	free(path);
	return finding;
}

/*
 * Check if the plugin for KernelShark is installed. The plugin for trace-cmd makes KernelShark load it from a
 * path that is relative to the plugin for trace-cmd.
 */
static struct finding check_kshark_plugin(void)
{
	char *plugin = plugin_path(), *beside, *path;
	struct finding finding;

	if (plugin)
		*strrchr(plugin, '/') = '\0';
	beside = xasprintf("%s/../../kernelshark/plugins/plugin-record_skb.so",
			   plugin ? plugin : "/nowhere");
	path = realpath(beside, NULL);
	finding = path ? finding_present(path) : finding_missing("not installed");
	free(path);
	free(beside);
	free(plugin);
	return finding;
}

/**
 * struct check - one line of --check: a requirement of recordings, or of the programs that show them
 * @what: the name of the requirement, as printed
 * @look: the function that does the check
 * @needed: true if a recording is not possible when the check fails
 * @forced: true if a recording needs --force when the check fails
 * @hidden: true if only root with tracefs mounted can do the check
 * @mend: what the user can do if the check fails; NULL if the text of the finding says that
 * @package: the package to install if the check fails; NULL if no package would help
 */
/* clang-format off */
static const struct check {
	const char *what;
	struct finding (*look)(void);
	bool needed, hidden;
	const char *mend, *package;
	bool forced;
} checks[] = {
	{ "rights",           check_rights,        true,  false, "run it with sudo" },
	{ "tracefs",          check_tracefs,       true,  false, NULL },
	{ "tracer",           check_tracer,        true,  true,
	  "use a kernel with CONFIG_FUNCTION_GRAPH_TRACER" },
	{ "function filter",  check_filter,        true,  true,  "use a kernel with CONFIG_DYNAMIC_FTRACE" },
	{ "registers",        check_registers,     true,  false,
#ifdef __aarch64__
	  "use Linux 6.2 or later with CONFIG_DYNAMIC_FTRACE_WITH_ARGS" },
#else
	  "use a kernel with CONFIG_DYNAMIC_FTRACE_WITH_REGS" },
#endif
	{ "kprobes",          check_kprobes,       true,  true,  "use a kernel with CONFIG_KPROBE_EVENTS" },
	{ "ftrace",           check_enabled,       true,  false, "sysctl kernel.ftrace_enabled=1" },
	{ "types (BTF)",      check_types,         false, false, "use a kernel with CONFIG_DEBUG_INFO_BTF" },
	{ "lockdown",         check_lockdown,      true,  false, "boot without lockdown=confidentiality" },
	{ "module",           check_module,        true,  false, NULL },
	{ "other recordings", check_recording,     true,  true,  "wait until it ends, or end it" },
	{ "other tracing",    check_tracing,       true,  true,  "trace-cmd reset" },
	{ "unread trace",     check_unread,        false, true,
	  "save them with 'trace-cmd extract -k', or use --force", .forced = true },
	{ "other instances",  check_instances,     false, true,
	  "end that tracer, or use --force, which some kernels after 6.12 do not allow", .forced = true },
	{ "other probes",     check_returns,       false, true,  "--force" },
	{ "probe points",     check_points,        false, true,  "they are left out; remove the live patch" },
	{ "trace-cmd",        check_trace_cmd,     true,  false, NULL, "trace-cmd" },
	{ "report-skb",       check_report,        false, false, "make install, in record-skb's sources" },
	{ "plugin",           check_plugin,        false, false, "make install, in record-skb's sources" },
	{ "kernelshark",      check_kernelshark,   false, false, NULL, "kernelshark" },
	{ "its plugin",       check_kshark_plugin, false, false, "install libkshark-dev, then make install" },
};
/* clang-format on */

int check_add_hint(struct err *err)
{
	const struct err why = *err;

	return err_set(
		err, "%.640s; 'trace-cmd record-skb --check' shows what this machine has and lacks",
		why.text);
}

static void print_mend(FILE *out, const struct check *check)
{
	char *line = check->package ? package_hint(OS_RELEASE, check->package) : NULL;

	if (line || check->mend)
		fprintf(out, "%-26sto fix it: %s\n", "", line ? line : check->mend);
	free(line);
}

static struct finding run_check(const struct check *check, bool sees)
{
	if (check->hidden && !sees)
		return (struct finding){ .unknown = true, .text = xstrdup("cannot be checked") };
	return check->look();
}

/*
 * Do a check and print the result. Return true if a recording is impossible because of the result. Set
 * *@unsure if the check is needed for a recording and could not be done. Set *@forced if a recording needs
 * --force because of the result.
 */
static bool print_check(FILE *out, const struct check *check, bool sees, bool *unsure, bool *forced)
{
	struct finding finding = run_check(check, sees);
	char *shown;

	shown = safe_text(finding.text);
	fprintf(out, "%-8s%-18s%s\n",
		finding.unknown ? "unknown" :
		finding.has	? "ok" :
		check->needed	? "LACKS" :
				  "without",
		check->what, shown);
	free(shown);
	if (!finding.has && !finding.unknown)
		print_mend(out, check);
	free(finding.text);
	*unsure |= finding.unknown && check->needed;
	*forced |= !finding.has && !finding.unknown && check->forced;
	return !finding.has && !finding.unknown && check->needed;
}

bool check_print(FILE *out)
{
	struct utsname kernel;
	struct err err;
	const bool sees = !geteuid() && !tracing_find(&err);
	bool good, unsure = false, forced = false;

	uname(&kernel);
	good = is_supported(kernel.machine);
	fprintf(out, "%-8s%-18s%s, %s\n", good ? "ok" : "LACKS", "kernel", kernel.release,
		kernel.machine);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		good &= !print_check(out, &checks[i], sees, &unsure, &forced);
	fputs(!good ? "no recording is possible until these problems are fixed\n" :
	      forced ?
		      "a recording is possible only with --force, or after these problems are fixed\n" :
	      unsure ?
		      "a recording is possible, unless one of the unknown points above prevents it\n" :
		      "a recording is possible\n",
	      out);
	return good;
}
