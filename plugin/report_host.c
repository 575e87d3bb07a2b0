// SPDX-License-Identifier: LGPL-2.1
/*
 * report_host.c - detect the program that loaded the plugin, and the rows that it does not show
 *
 * The functions of libtracecmd are looked up at run time. trace-cmd contains and exports them, but other
 * programs may not have them.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "report_host.h"

#define WEAK __attribute__((weak))

struct tracecmd_input;

int kshark_instance(void *context) WEAK;

int tracecmd_cpus(struct tracecmd_input *handle) WEAK;
struct tep_record *tracecmd_peek_data(struct tracecmd_input *handle, int cpu) WEAK;
int tracecmd_follow_missed_events(struct tracecmd_input *handle,
				  int (*callback)(struct tracecmd_input *, struct tep_event *,
						  struct tep_record *, int, void *),
				  void *callback_data) WEAK;

bool report_host_is_kernelshark(void)
{
	return kshark_instance != NULL;
}

/*
 * Short options of trace-cmd report that have an argument. -V is not in the list, because its argument is
 * part of the same word.
 */
static const char with_argument[] = "iHrnFO";

/*
 * Long options with an argument in the next word. They can be abbreviated. Without this list, the argument
 * could be mistaken for a file name or for an option that hides rows.
 */
static const char *const long_with_argument[] = {
	"--event", "--kallsyms", "--pid", "--comm", "--ts-offset", "--ts2secs",
};

static bool takes_argument(const char *option)
{
	size_t len = strlen(option);
	size_t i;

	for (i = 0; i < sizeof(long_with_argument) / sizeof(*long_with_argument); i++) {
		if (!strncmp(option, long_with_argument[i], len))
			return true;
	}
	return false;
}

enum report_view report_view_of_args(const char *args, size_t len)
{
	enum report_view view = REPORT_ALL_ROWS;
	const char *end = args + len;
	const char *arg, *c;
	int n = 0;

	for (arg = args; arg < end; arg += strnlen(arg, end - arg) + 1) {
		n++;
		if (n == 1)
			continue;
		if (n == 2) {
			if (strcmp(arg, "report"))
				return REPORT_ALL_ROWS;
			continue;
		}
		if (arg[0] != '-' || !arg[1] || !strcmp(arg, "--"))
			break;
		if (arg[1] == '-') {
			/*
			 * Only --cpu hides rows; --cpus only lists CPUs. getopt does not accept an
			 * abbreviation of either option.
			 */
			if (!strcmp(arg, "--cpu") || !strncmp(arg, "--cpu=", 6))
				view = REPORT_SOME_CPUS;
			if (!strcmp(arg, "--cpu") || takes_argument(arg))
				arg += strnlen(arg, end - arg) + 1;
			if (arg >= end)
				break;
			continue;
		}
		for (c = arg + 1; *c; c++) {
			if (*c == 'F')
				return REPORT_SOME_ROWS;
			if (*c == 'V')
				break;
			if (strchr(with_argument, *c)) {
				if (!c[1])
					arg += strnlen(arg, end - arg) + 1;
				break;
			}
		}
		if (arg >= end)
			break;
	}
	return view;
}

enum report_view report_host_view(void)
{
	/*
	 * Only the beginning of the command line is read. If it is longer, assume that it contains
	 * a filter.
	 */
	static char args[64 * 1024];
	size_t len = 0;
	ssize_t n;
	int fd;

	fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return REPORT_ALL_ROWS;
	while ((n = read(fd, args + len, sizeof(args) - 1 - len)) > 0)
		len += n;
	close(fd);
	if (len == sizeof(args) - 1)
		return REPORT_SOME_ROWS;
	args[len] = '\0';
	return report_view_of_args(args, len);
}

void *report_host_buffer(void)
{
	/* This is a thread-local variable of libtracecmd, so each thread must look up its own address. */
	static __thread void **current;
	static __thread bool asked;

	if (!asked) {
		current = dlsym(RTLD_DEFAULT, "tracecmd_curr_thread_handle");
		asked = true;
	}
	return current ? *current : NULL;
}

static int handle_loss(struct tracecmd_input *handle, struct tep_event *event,
		       struct tep_record *record, int cpu, void *data)
{
	const struct report_loss_follower *follower = data;

	(void)event;
	(void)cpu; /* this counts the CPUs of all open files; the CPU of the row is in @record */
	follower->lost(handle, record->cpu, follower->data);
	return 0;
}

void report_host_follow_loss(void *buffer, struct report_loss_follower *follower)
{
	if (buffer && tracecmd_follow_missed_events)
		tracecmd_follow_missed_events(buffer, handle_loss, follower);
}

const struct tep_record *report_host_look_ahead(void *buffer, const struct tep_record *record,
						struct report_ahead *ahead)
{
	const struct tep_record *next, *first = NULL;
	int cpus, cpu;

	*ahead = (struct report_ahead){ .next_cpu = -1 };
	if (!buffer || !tracecmd_cpus || !tracecmd_peek_data)
		return NULL;
	cpus = tracecmd_cpus(buffer);
	for (cpu = 0; cpu < cpus; cpu++) {
		next = tracecmd_peek_data(buffer, cpu);
		if (!next)
			continue;
		if (next->missed_events) {
			if (next->cpu == record->cpu)
				ahead->loss_here = true;
			else
				ahead->loss_elsewhere = true;
		}
		if (!first || next->ts < first->ts) {
			first = next;
			ahead->next_cpu = cpu;
			ahead->next_ts = next->ts;
			ahead->next_offset = next->offset;
		}
	}
	return first;
}

bool report_host_was_read(void *buffer, const struct report_ahead *ahead)
{
	const struct tep_record *next;

	if (ahead->next_cpu < 0)
		return false;
	/*
	 * Do not compare the addresses of the records. If the row was read, its record was freed, and
	 * libtracecmd has usually allocated the record of the following row at the same address.
	 */
	next = tracecmd_peek_data(buffer, ahead->next_cpu);
	return !next || next->offset != ahead->next_offset || next->ts != ahead->next_ts;
}
