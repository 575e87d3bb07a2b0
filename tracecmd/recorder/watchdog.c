// SPDX-License-Identifier: GPL-2.0
/* watchdog.c - the watchdog, a process that restores the system if the recorder is killed */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/watchdog.h"
#include "module/module.h"
#include "modes/persistent.h"
#include "recorder/processes.h"
#include "recorder/symbols.h"
#include "module/module_client.h"

#define TRIES	 20
#define TRY_MSEC 250

/*
 * Messages from the recorder to the watchdog. A positive number is the PID of a process of the recording, for
 * which the watchdog has to wait. Each of the other messages is the last one that a recorder sends.
 */
#define ALL_PUT_BACK  0
#define MODULE_STAYS  -1
#define SETTINGS_STAY -2

/*
 * Receive messages until the recorder sends its last message or exits. Returns the last message. Returns 1 if
 * the recorder has exited without a last message, because it was killed.
 */
static int listen_to(int socket, struct process_tree *tree)
{
	ssize_t n;
	pid_t pid;

	for (;;) {
		n = recv(socket, &pid, sizeof(pid), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(pid))
			return 1;
		if (pid <= ALL_PUT_BACK)
			return pid;
		process_tree_forget_ended(tree);
		process_tree_add(tree, pid);
	}
}

/*
 * Wait until trace-cmd has exited after the recorder, our main process, was killed. trace-cmd then ends by
 * itself: its command notices the death of the recorder and exits, and trace-cmd writes its file. If
 * trace-cmd was killed as well, end the processes that it has started for each CPU.
 */
static void wait_for_trace_cmd(const struct process_tree *tree, bool by_start)
{
	const size_t nr = by_start || !tree->n ? tree->n : 1;
	struct pollfd fd = { .events = POLLIN };

	for (size_t i = 0; i < nr; i++) {
		fd.fd = tree->pidfds[i];
		while (poll(&fd, 1, -1) < 0 && errno == EINTR)
			;
	}
	process_tree_end(tree);
}

/*
 * Close the files that the recorder has inherited from its caller. These are the files without close-on-exec,
 * because the recorder opens all its own files with this flag.
 */
static void close_others(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const int fd = atoi(entry->d_name);

		if (fd > 2 && !(fcntl(fd, F_GETFD) & FD_CLOEXEC))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/*
 * Release the lock of the output file and leave its directory. After this, another recording can write to the
 * file, and the file system can be unmounted.
 */
static void leave_file(const struct undo *undo)
{
	if (undo->output && undo->output->claim >= 0)
		close(undo->output->claim);
	if (chdir("/"))
		return;
}

/*
 * If the recording is shared, leave it. Then wait until the module has restored the tracing settings in its
 * list.
 */
static void put_back(struct undo *undo)
{
	struct err err;
	int ret = -1;

	for (int i = 0; ret == -EBUSY || (ret && i < TRIES); i++) {
		ret = shared_leave(&undo->shared, -1, &undo->home, &undo->module_loaded, &err);
		if (ret)
			usleep(TRY_MSEC * 1000);
	}
	while (session_is_restoring())
		usleep(TRY_MSEC * 1000);
}

static void watch_recorder(struct undo *undo, int socket, pid_t recorder)
{
	struct process_tree tree = {};
	struct err err;
	int null;

	/*
	 * Ignore all signals but SIGCHLD. A signal that ends the other processes, such as Ctrl-C or "pkill
	 * trace-cmd", must not end the watchdog. If SIGCHLD were ignored, waitpid() would not return the
	 * status of a child.
	 */
	for (int number = 1; number < SIGRTMIN; number++)
		if (number != SIGCHLD)
			signal(number, SIG_IGN);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "record-skb-keep");
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close_others();
	switch (listen_to(socket, &tree)) {
	case ALL_PUT_BACK:
		_exit(0);
	default:
		wait_for_trace_cmd(&tree, undo->by_start);
		symbols_remove(recorder);
		/*
		 * If trace-cmd was killed as well, the per-CPU parts of the output file are still there.
		 * Combine them.
		 */
		if (undo->output)
			output_restore(undo->output, undo->trace_cmd);
		if (undo->persistent)
			persistent_end(undo->persistent, undo->persistent_file);
		leave_file(undo);
		put_back(undo);
		break;
	case SETTINGS_STAY:
		leave_file(undo);
		put_back(undo);
		break;
	case MODULE_STAYS:
		leave_file(undo);
		undo->module_loaded = true;
		break;
	}
	undo->module_loaded = undo->module_loaded && module_unload(&err);
	/*
	 * The module stays in use as long as a task sleeps inside one of its gates, which can take long.
	 * Release the lock before waiting for that, so that the next recording can start.
	 */
	close(undo->lock);
	while (undo->module_loaded && module_unload(&err))
		usleep(TRY_MSEC * 1000);
	_exit(0);
}

int watchdog_start(struct undo *undo, int session, struct err *err)
{
	const pid_t recorder = getpid();
	int sockets[2], status;
	pid_t pid, ended;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return err_set(err, "cannot create a socket pair: %s", strerror(errno));
	/*
	 * Fork twice, so that the recorder need not reap the watchdog: the first child exits at once, and its
	 * child, the watchdog, then gets another parent.
	 */
	pid = fork();
	if (!pid) {
		close(session);
		close(sockets[0]);
		pid = fork();
		if (pid)
			_exit(pid < 0);
		watch_recorder(undo, sockets[1], recorder);
	}
	close(sockets[1]);
	if (pid < 0) {
		close(sockets[0]);
		return err_set(err, "cannot fork: %s", strerror(errno));
	}
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	/*
	 * Check the exit status of the first child if there is one. If SIGCHLD is ignored, waitpid() fails.
	 */
	if (ended == pid && status) {
		close(sockets[0]);
		return err_set(err, "cannot fork");
	}
	return sockets[0];
}

void watchdog_note(int watchdog, pid_t pid)
{
	send(watchdog, &pid, sizeof(pid), MSG_NOSIGNAL);
}

void watchdog_take_over(int watchdog)
{
	watchdog_note(watchdog, SETTINGS_STAY);
	close(watchdog);
}

void watchdog_end(int watchdog, bool module_stays)
{
	watchdog_note(watchdog, module_stays ? MODULE_STAYS : ALL_PUT_BACK);
	close(watchdog);
}
