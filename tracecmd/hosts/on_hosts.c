// SPDX-License-Identifier: GPL-2.0
/* on_hosts.c - record on several hosts together (--on), through ssh(1) */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hosts/control.h"
#include "hosts/host.h"
#include "hosts/on_hosts.h"

/*
 * How often to check if a child process has exited. This is needed because the kernel can merge several
 * SIGCHLD signals into one.
 */
#define LOOK_MSEC 500

/**
 * struct joint - a recording on several hosts
 * @o: the user's options
 * @hosts, @n: the hosts
 * @mask: the signal mask that this program had before it blocked signals
 * @command: PID of the user's command; 0 if no command runs
 * @status: exit status of the command
 * @begun: true if all hosts record, except for those that have failed
 * @stopped: true if all hosts were asked to end their recordings
 * @by: the first host that an event of --until has ended, or NULL
 * @by_ns: time at which this host reported the event
 * @interrupted: true if a signal has asked to end the command
 * @linger_ns: time until which the hosts record after the end of the command; 0 while the command runs
 * @alive_ns: time at which the next empty message is sent to the hosts, so that they know that the connection
 *	works
 */
struct joint {
	const struct options *o;
	struct host *hosts;
	size_t n;
	sigset_t mask;
	pid_t command;
	int status;
	bool begun;
	bool stopped;
	bool interrupted;
	const struct host *by;
	unsigned long long by_ns;
	unsigned long long linger_ns;
	unsigned long long alive_ns;
};

static void stop_all(struct joint *joint)
{
	joint->stopped = true;
	for (size_t i = 0; i < joint->n; i++)
		host_stop(&joint->hosts[i]);
}

/* Return the number of hosts with the state @state. */
static size_t count(const struct joint *joint, enum host_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < joint->n; i++)
		n += joint->hosts[i].state == state;
	return n;
}

static void start_command(struct joint *joint)
{
	char **argv = joint->o->command;
	int error;

	joint->command = fork();
	if (joint->command < 0) {
		joint->command = 0;
		joint->status = EXIT_OURS;
		return;
	}
	if (joint->command)
		return;
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &joint->mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	fprintf(stderr, "trace-cmd record-skb: cannot run the command: %s\n", strerror(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* Start the command when no host is still starting. If all hosts have failed, do not start the command. */
static void begin(struct joint *joint)
{
	const size_t n = count(joint, HOST_RECORDING);

	if (joint->begun || joint->stopped || count(joint, HOST_STARTING) || !n)
		return;
	joint->begun = true;
	if (!joint->o->quiet && !joint->o->command)
		fprintf(stderr, "trace-cmd record-skb: recording on %zu of %zu hosts until %s\n", n,
			joint->n,
			limits_any(&joint->o->limits) || ring_has_trigger(&joint->o->ring) ?
				"an event of --until or Ctrl-C" :
				"Ctrl-C");
	if (joint->o->command)
		start_command(joint);
}

static void look_at_command(struct joint *joint)
{
	int status;

	if (!joint->command || waitpid(joint->command, &status, WNOHANG) != joint->command)
		return;
	joint->command = 0;
	if (WIFEXITED(status))
		joint->status = WEXITSTATUS(status);
	else if (!joint->by || WTERMSIG(status) != SIGTERM)
		joint->status = 128 + WTERMSIG(status);
	joint->linger_ns =
		host_now() + (joint->interrupted ? 0 : joint->o->linger_msec * 1000000ULL);
}

/*
 * If an event of --until has ended the recording on one host, end the recordings on all hosts, and the
 * command.
 */
static void look_for_event(struct joint *joint)
{
	for (size_t i = 0; i < joint->n && !joint->by; i++)
		if (joint->hosts[i].ended_usec >= 0)
			joint->by = &joint->hosts[i];
	if (!joint->by || joint->by_ns)
		return;
	joint->by_ns = host_now();
	stop_all(joint);
	if (joint->command)
		kill(joint->command, SIGTERM);
}

/*
 * Handle Ctrl-C and other signals. If a command runs, the first signal ends the command; Ctrl-C has already
 * reached it through the terminal. The next signal ends the recordings, and the one after that the
 * connections.
 */
static void handle_signal(struct joint *joint, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD)
		return;
	if (joint->command && !joint->interrupted) {
		if (info->ssi_code != SI_KERNEL)
			kill(joint->command, info->ssi_signo);
		joint->interrupted = true;
		return;
	}
	if (!joint->stopped) {
		stop_all(joint);
		return;
	}
	fputs("trace-cmd record-skb: interrupted; the files of the recordings stay on the hosts\n",
	      stderr);
	for (size_t i = 0; i < joint->n; i++)
		host_leave(&joint->hosts[i]);
}

/* Tell the user where the recording is that could not be fetched from a failed host. */
static void tell_failed(const struct host *host)
{
	char *name = safe_word(host->name), *file = safe_word(host->file);

	if (!host->recorded)
		host_say(host, "not recorded: see the message above");
	else if (host->state != HOST_DONE)
		host_say(host, "the file was not fetched; if the host has it: ssh %s cat %s >%s",
			 name, host->remote, file);
	else
		host_say(host,
			 "the recording ended with an error; %s has the entries before the "
			 "error",
			 host->file);
	free(name);
	free(file);
}

static void look_at_hosts(struct joint *joint, const bool *was_over)
{
	for (size_t i = 0; i < joint->n; i++)
		if (host_is_over(&joint->hosts[i]) && !was_over[i] &&
		    !host_has_succeeded(&joint->hosts[i]))
			tell_failed(&joint->hosts[i]);
}

static bool is_over(const struct joint *joint)
{
	for (size_t i = 0; i < joint->n; i++)
		if (joint->hosts[i].pid)
			return false;
	return !joint->command;
}

static void watch(struct joint *joint, int signals)
{
	struct pollfd *fds = xrealloc(NULL, (1 + 2 * joint->n) * sizeof(*fds));
	bool *was_over = xrealloc(NULL, joint->n * sizeof(*was_over));
	struct signalfd_siginfo info;
	unsigned long long now;

	while (!is_over(joint)) {
		fds[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
		for (size_t i = 0; i < joint->n; i++) {
			const struct host *host = &joint->hosts[i];

			fds[1 + 2 * i] = (struct pollfd){ .fd = host->out, .events = POLLIN };
			fds[2 + 2 * i] = (struct pollfd){ .fd = host->err, .events = POLLIN };
			was_over[i] = !host->pid;
		}
		poll(fds, 1 + 2 * joint->n, joint->linger_ns && !joint->stopped ? 10 : LOOK_MSEC);
		if (fds[0].revents && read(signals, &info, sizeof(info)) == sizeof(info))
			handle_signal(joint, &info);
		for (size_t i = 0; i < joint->n; i++)
			host_read(&joint->hosts[i]);
		look_for_event(joint);
		look_at_hosts(joint, was_over);
		begin(joint);
		look_at_command(joint);
		now = host_now();
		if (!joint->command && joint->linger_ns && now >= joint->linger_ns &&
		    !joint->stopped)
			stop_all(joint);
		if (now < joint->alive_ns)
			continue;
		joint->alive_ns = now + CONTROL_ALIVE_MSEC * 1000000ULL;
		for (size_t i = 0; i < joint->n; i++)
			host_alive(&joint->hosts[i]);
	}
	free(fds);
	free(was_over);
}

/* If an event of --until has ended the recording on one host, print how much later the last host stopped. */
static void tell_event(const struct joint *joint)
{
	unsigned long long last = 0;

	for (size_t i = 0; i < joint->n; i++)
		if (&joint->hosts[i] != joint->by && joint->hosts[i].stopped_ns > last)
			last = joint->hosts[i].stopped_ns;
	if (joint->by && last > joint->by_ns)
		host_say(joint->by,
			 "an event of --until ended this recording; all others ended within %llu "
			 "ms",
			 (last - joint->by_ns + joint->by->ended_usec * 1000 + 999999) / 1000000);
}

static void tell(const struct joint *joint)
{
	struct strings files = {};
	char *word, *all = NULL, *more;

	tell_event(joint);
	for (size_t i = 0; i < joint->n; i++)
		if (joint->hosts[i].state == HOST_DONE)
			strings_add(&files, joint->hosts[i].file);
	for (size_t i = 0; i < files.n; i++) {
		word = safe_word(files.v[i]);
		more = xasprintf("%s %s", all ? all : "trace-cmd report-skb", word);
		free(word);
		free(all);
		all = more;
	}
	if (all)
		fprintf(stderr, "next: %s\n", all);
	free(all);
	strings_free(&files);
}

/* Fill in the array of hosts, and check the names of their files. Returns 0 or -1. */
static int prepare(struct joint *joint, const struct strings *names, struct err *err)
{
	const char *output = joint->o->output ? joint->o->output : "trace.dat";
	const time_t now = time(NULL);
	char stamp[32];

	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", gmtime(&now));
	joint->hosts = xrealloc(NULL, names->n * sizeof(*joint->hosts));
	for (joint->n = 0; joint->n < names->n; joint->n++) {
		struct host *host = &joint->hosts[joint->n];

		*host = (struct host){
			.name = names->v[joint->n],
			.label = safe_text(names->v[joint->n]),
			.file = host_file(output, names->v[joint->n]),
			.remote = xasprintf(CONTROL_DIRECTORY "/%s-%d-%zu.dat", stamp,
					    (int)getpid(), joint->n + 1),
			.ended_usec = -1,
			.in = -1,
			.out = -1,
			.err = -1,
			.fd = -1,
		};
		for (size_t i = 0; i < joint->n; i++)
			if (!strcmp(joint->hosts[i].file, host->file)) {
				joint->n++;
				return err_set(err, "--on: %s and %s would write the same file, %s",
					       joint->hosts[i].name, host->name, host->file);
			}
		if (!access(host->file, F_OK)) {
			joint->n++;
			return err_set(err, "%s exists already: move it, or use -o", host->file);
		}
	}
	return 0;
}

static int start_all(struct joint *joint, struct err *err)
{
	struct strings ssh = {};
	char *command, *name;
	int ret = 0;

	for (size_t i = 0; i < joint->n && !ret; i++) {
		struct host *host = &joint->hosts[i];

		name = xstrdup(host->remote + strlen(CONTROL_DIRECTORY "/"));
		name[strlen(name) - strlen(".dat")] = '\0';
		command = host_command(&joint->o->remote, name);
		host_ssh(getenv("RECORD_SKB_SSH"), host->name, &ssh);
		ret = host_start(host, &ssh, command, &joint->mask, err);
		strings_free(&ssh);
		free(command);
		free(name);
	}
	return ret;
}

/*
 * Return the exit status of this program: EXIT_OURS if a host has failed, and otherwise the status of the
 * command.
 */
static int status_of(const struct joint *joint)
{
	if (joint->o->command && !joint->begun)
		return EXIT_OURS;
	for (size_t i = 0; i < joint->n; i++)
		if (!host_has_succeeded(&joint->hosts[i]))
			return EXIT_OURS;
	return joint->status;
}

int on_hosts_record(const struct options *o, int *status, struct err *err)
{
	struct joint joint = { .o = o };
	struct strings names = {};
	sigset_t signals;
	int fd, ret;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &joint.mask);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	ret = hosts_parse(&o->on, &names, err) || prepare(&joint, &names, err) ? -1 : 0;
	if (!ret && fd < 0)
		ret = err_set(err, "cannot create a signalfd: %s", strerror(errno));
	if (!ret && start_all(&joint, err)) {
		for (size_t i = 0; i < joint.n; i++)
			host_leave(&joint.hosts[i]);
		ret = -1;
	}
	if (!ret) {
		watch(&joint, fd);
		tell(&joint);
		*status = status_of(&joint);
	}
	for (size_t i = 0; i < joint.n; i++)
		host_free(&joint.hosts[i]);
	free(joint.hosts);
	strings_free(&names);
	return ret;
}
