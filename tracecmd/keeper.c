// SPDX-License-Identifier: GPL-2.0
/* The process that puts back what the recorder changed, if the recorder is killed. */
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

#include "keeper.h"
#include "module.h"
#include "persistent.h"
#include "process-tree.h"
#include "symbols.h"

#define TRIES	 20
#define TRY_MSEC 250

/* What is said to the keeper beside PIDs. */
#define ALL_PUT_BACK  0
#define MODULE_STAYS  -1
#define SETTINGS_STAY -2

/* Returns what the recorder said in the end, 1 if it is gone. */
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
 * The runner has seen the recorder's end too, and has gone; so trace-cmd is about to write its file
 * and to end. If it was killed as well, its recorders are not.
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

/* What the caller of the recorder has left open: all that is ours is closed on exec. */
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

/* The file is as good as it gets; another recording may write it, and its folder be unmounted. */
static void leave_file(const struct undo *undo)
{
	if (undo->output && undo->output->claim >= 0)
		close(undo->output->claim);
	if (chdir("/"))
		return;
}

/* What a recording has changed; once more if it is not given back yet, or others have to let go first. */
static void put_back(struct undo *undo)
{
	struct err err;
	int ret = -1;

	for (int i = 0; ret == -EBUSY || (ret && i < TRIES); i++) {
		if (undo->settings)
			ret = tracing_settings_restore(undo->settings, true, &err);
		else
			ret = share_leave(&undo->share, &undo->home, &undo->module_loaded, &err);
		if (ret)
			usleep(TRY_MSEC * 1000);
	}
}

static void keep(struct undo *undo, int socket, pid_t recorder)
{
	struct process_tree tree = {};
	struct err err;
	int null;

	/*
	 * What ends the others must not end this one: neither Ctrl-C nor "pkill trace-cmd".
	 * With SIGCHLD ignored nobody would learn how a child has ended.
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
		/* There are parts only if it was killed as well. */
		if (undo->output)
			output_restore(undo->output, undo->trace_cmd);
		if (undo->persistent)
			persistent_end(undo->persistent, undo->output->file);
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
	/* A task inside a gate holds it, maybe for long; the next recording need not wait. */
	close(undo->lock);
	while (undo->module_loaded && module_unload(&err))
		usleep(TRY_MSEC * 1000);
	_exit(0);
}

int keeper_start(struct undo *undo, int session, struct err *err)
{
	const pid_t recorder = getpid();
	int sockets[2], status;
	pid_t pid, ended;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return err_set(err, "cannot make a socket pair: %s", strerror(errno));
	/* By a child that ends at once, so that nobody has to reap the keeper. */
	pid = fork();
	if (!pid) {
		close(session);
		close(sockets[0]);
		pid = fork();
		if (pid)
			_exit(pid < 0);
		keep(undo, sockets[1], recorder);
	}
	close(sockets[1]);
	if (pid < 0) {
		close(sockets[0]);
		return err_set(err, "cannot fork: %s", strerror(errno));
	}
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	/* Where SIGCHLD is ignored, nobody knows. */
	if (ended == pid && status) {
		close(sockets[0]);
		return err_set(err, "cannot fork");
	}
	return sockets[0];
}

void keeper_note(int keeper, pid_t pid)
{
	send(keeper, &pid, sizeof(pid), MSG_NOSIGNAL);
}

void keeper_take_over(int keeper)
{
	keeper_note(keeper, SETTINGS_STAY);
	close(keeper);
}

void keeper_end(int keeper, bool module_stays)
{
	keeper_note(keeper, module_stays ? MODULE_STAYS : ALL_PUT_BACK);
	close(keeper);
}
