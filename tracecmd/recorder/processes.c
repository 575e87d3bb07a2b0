// SPDX-License-Identifier: GPL-2.0
/*
 * processes.c - track processes by pidfd. Run a program with limits for its time, output and memory. Run a
 * process only on the CPUs of a list such as 0-3,6.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/processes.h"
#include "tracefs/files.h"
#include "text.h"

/* How long to wait for the exit of each process, first after SIGUSR1 and then after SIGKILL. */
#define DIE_MSEC 5000

int process_open(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

bool process_has_ended(int pidfd)
{
	struct pollfd fd = { .fd = pidfd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

void process_signal(int pidfd, int signal)
{
	if (pidfd >= 0)
		syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

void process_tree_add(struct process_tree *tree, pid_t pid)
{
	const int pidfd = process_open(pid);

	if (pidfd < 0)
		return;
	tree->pidfds = xrealloc(tree->pidfds, (tree->n + 1) * sizeof(*tree->pidfds));
	tree->pidfds[tree->n++] = pidfd;
}

void process_tree_forget_ended(struct process_tree *tree)
{
	size_t n = tree->n ? 1 : 0;

	for (size_t i = n; i < tree->n; i++)
		if (process_has_ended(tree->pidfds[i]))
			close(tree->pidfds[i]);
		else
			tree->pidfds[n++] = tree->pidfds[i];
	tree->n = n;
}

/*
 * Return the PID of the parent of process @pid, or -1. In /proc/PID/stat, "PID (NAME) STATE PARENT ...", the
 * parent is the word after the state. Search the last parenthesis, because the name can contain any
 * character.
 */
static pid_t parent_of(const char *pid)
{
	char *file = xasprintf("/proc/%s/stat", pid);
	char *text = file_read(file);
	char *rest = text ? strrchr(text, ')') : NULL;
	int parent;

	if (!rest || sscanf(rest, ") %*c %d", &parent) != 1)
		parent = -1;
	free(text);
	free(file);
	return parent;
}

static void search_children(pid_t pid, struct strings *pids)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	if (!proc)
		return;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)*entry->d_name) && parent_of(entry->d_name) == pid)
			strings_add(pids, entry->d_name);
	closedir(proc);
}

void process_children(pid_t pid, struct strings *pids)
{
	char *file = xasprintf("/proc/%d/task/%d/children", pid, pid);
	char *text = file_read(file);
	char *rest = text, *word;

	while (rest && (word = strsep(&rest, " ")))
		if (*word)
			strings_add(pids, word);
	/*
	 * Kernels without CONFIG_PROC_CHILDREN have no file "children". Search all processes for children
	 * instead.
	 */
	if (!text)
		search_children(pid, pids);
	free(text);
	free(file);
}

static void wait_for_all(const struct process_tree *tree)
{
	struct pollfd fd = { .events = POLLIN };

	for (size_t i = 1; i < tree->n; i++) {
		fd.fd = tree->pidfds[i];
		poll(&fd, 1, DIE_MSEC);
	}
}

void process_tree_end(const struct process_tree *tree)
{
	for (size_t i = 1; i < tree->n; i++)
		process_signal(tree->pidfds[i], SIGUSR1);
	wait_for_all(tree);
	for (size_t i = 1; i < tree->n; i++)
		process_signal(tree->pidfds[i], SIGKILL);
	wait_for_all(tree);
}

void process_tree_free(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		close(tree->pidfds[i]);
	free(tree->pidfds);
	tree->pidfds = NULL;
	tree->n = 0;
}

#define MAX_LINE   (64 << 10)
#define MAX_OUTPUT (16 << 20)
#define MAX_MEMORY (1 << 30)
/*
 * How long to wait until a killed program has exited. A program in an uninterruptible system call may take
 * longer; it is then left behind.
 */
#define REAP_MSEC 1000
#define EXIT_NONE 127

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void execute_command(char *const argv[], int out)
{
	const struct rlimit memory = { .rlim_cur = MAX_MEMORY, .rlim_max = MAX_MEMORY };
	const struct rlimit core = {};
	const int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int number = 1; number < SIGRTMIN; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CORE, &core);
	dup2(null, 0);
	dup2(out, 1);
	dup2(null, 2);
	execvp(argv[0], argv);
	_exit(EXIT_NONE);
}

/*
 * Wait for output of a program and read it. Return the result of read(), or -1 if no output came until
 * @deadline.
 */
static ssize_t read_until(int fd, char *to, size_t room, long long deadline)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	long long left;
	ssize_t n;

	for (;;) {
		left = deadline - now_msec();
		if (left <= 0)
			return -1;
		if (poll(&poll_fd, 1, left) <= 0)
			continue;
		n = read(fd, to, room);
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
	}
}

/*
 * Pass each complete line of @text to @take_line, and move the incomplete last line to the front. If
 * @take_line returns true, it needs no more lines: return true.
 */
static bool take_lines(char *text, size_t *size, bool (*take_line)(char *line, void *data),
		       void *data)
{
	char *line = text, *end;
	bool enough = false;

	while (!enough && (end = memchr(line, '\n', text + *size - line))) {
		*end = '\0';
		enough = take_line(line, data);
		line = end + 1;
	}
	*size -= line - text;
	memmove(text, line, *size);
	return enough;
}

static enum command_end read_all(int fd, long long deadline,
				 bool (*take_line)(char *line, void *data), void *data)
{
	char *text = xrealloc(NULL, MAX_LINE);
	enum command_end end = COMMAND_LIMITED;
	size_t size = 0, sum = 0;
	ssize_t n;

	while (sum < MAX_OUTPUT && size < MAX_LINE - 1) {
		n = read_until(fd, text + size, MAX_LINE - 1 - size, deadline);
		if (n < 0)
			break;
		if (!n) {
			/* At the end of the output, pass on the last line even if it has no newline. */
			text[size] = '\0';
			if (size)
				take_line(text, data);
			end = COMMAND_ENDED;
			break;
		}
		size += n;
		sum += n;
		if (take_lines(text, &size, take_line, data)) {
			end = COMMAND_ENDED;
			break;
		}
	}
	free(text);
	return end;
}

/*
 * Kill the program and the other processes of its group, and reap the program. Return true if its exit status
 * shows that it could not be started.
 */
static bool kill_and_reap(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const long long deadline = now_msec() + REAP_MSEC;
	int status = 0;
	pid_t ended;

	/*
	 * If the program has exited by itself, get its exit status before killing the process group.
	 * Otherwise, the status would be that of SIGKILL.
	 */
	ended = waitpid(pid, &status, WNOHANG);
	kill(-pid, SIGKILL);
	if (!ended)
		kill(pid, SIGKILL);
	while (!ended && now_msec() < deadline) {
		nanosleep(&pause, NULL);
		ended = waitpid(pid, &status, WNOHANG);
	}
	return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NONE;
}

enum command_end limited_command_run(char *const argv[], int msec,
				     bool (*take_line)(char *line, void *data), void *data)
{
	const long long deadline = now_msec() + msec;
	enum command_end end;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return COMMAND_FAILED;
	pid = fork();
	if (!pid)
		execute_command(argv, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return COMMAND_FAILED;
	}
	/*
	 * Parent and child both call setpgid(). Therefore the process group exists before the parent kills
	 * it, no matter which of the two calls comes first.
	 */
	setpgid(pid, pid);
	end = read_all(ends[0], deadline, take_line, data);
	close(ends[0]);
	return kill_and_reap(pid) ? COMMAND_FAILED : end;
}

/* Upper limit for the number of CPUs in this program: the largest value of CONFIG_NR_CPUS. */
#define MAX_CPUS 8192
#define SET_SIZE CPU_ALLOC_SIZE(MAX_CPUS)

/*
 * Parse a list of CPUs. Returns a set of CPUs, to be freed with CPU_FREE(), or NULL if the list is invalid.
 */
static cpu_set_t *parse_list(const char *list)
{
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
	unsigned long from, to;

	if (!set)
		return NULL;
	CPU_ZERO_S(SET_SIZE, set);
	do {
		if (!number_read_at(&list, MAX_CPUS - 1, &from))
			break;
		to = from;
		if (*list == '-' && (list++, !number_read_at(&list, MAX_CPUS - 1, &to)))
			break;
		if (to < from)
			break;
		while (from <= to)
			CPU_SET_S(from++, SET_SIZE, set);
		if (!*list)
			return set;
	} while (*list++ == ',');
	CPU_FREE(set);
	return NULL;
}

static int check_online(const cpu_set_t *set, struct err *err)
{
	char *text = file_read("/sys/devices/system/cpu/online");
	cpu_set_t *online = text ? parse_list(text) : NULL;
	int ret = 0;

	/*
	 * If the online CPUs cannot be read, check nothing here: sched_setaffinity() checks the CPUs later.
	 */
	for (int cpu = 0; online && cpu < MAX_CPUS && !ret; cpu++)
		if (CPU_ISSET_S(cpu, SET_SIZE, set) && !CPU_ISSET_S(cpu, SET_SIZE, online))
			ret = err_set(err, "CPU %d is not online: the online CPUs are %s", cpu,
				      text);
	if (online)
		CPU_FREE(online);
	free(text);
	return ret;
}

/* Return a bit mask of the CPUs in @set from @first to @first + 31. */
static unsigned int mask_word(const cpu_set_t *set, int first)
{
	unsigned int bits = 0;

	for (int i = 0; i < 32; i++)
		if (CPU_ISSET_S(first + i, SET_SIZE, set))
			bits |= 1U << i;
	return bits;
}

char *cpu_list_mask(const char *list)
{
	cpu_set_t *set = parse_list(list);
	char *mask = NULL, *longer;
	int first = MAX_CPUS - 32;

	if (!set)
		return NULL;
	while (first && !mask_word(set, first))
		first -= 32;
	for (; first >= 0; first -= 32) {
		longer = mask ? xasprintf("%s,%08x", mask, mask_word(set, first)) :
				xasprintf("%x", mask_word(set, first));
		free(mask);
		mask = longer;
	}
	CPU_FREE(set);
	return mask;
}

int cpu_list_check(const char *list, struct err *err)
{
	cpu_set_t *set = parse_list(list);
	int ret;

	if (!set)
		return err_set(
			err,
			"'%s' is not a list of CPUs for --cpu: give numbers and ranges, as in "
			"0-3,6",
			list);
	ret = check_online(set, err);
	CPU_FREE(set);
	return ret;
}

int cpu_list_apply(pid_t pid, const char *list, struct err *err)
{
	cpu_set_t *set = parse_list(list);
	int error = !set ? EINVAL : sched_setaffinity(pid, SET_SIZE, set) ? errno : 0;

	if (set)
		CPU_FREE(set);
	return error ? err_set(err, "cannot run the command on CPU %s: %s", list, strerror(error)) :
		       0;
}
