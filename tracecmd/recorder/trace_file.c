// SPDX-License-Identifier: GPL-2.0
/* trace_file.c - the output file of the recording, such as trace.dat */
#include <errno.h>
#include <fcntl.h>
#include <sched.h> /* libtracecmd 1.2: trace-cmd.h uses declarations of this header without including it */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "text.h"
#include "recorder/trace_file.h"

/*
 * A file with locks on output files. While a recording writes an output file, one byte of this file is
 * locked.
 */
#define CLAIMS "/run/record_skb.files"

char *output_head(const char *file)
{
	return xasprintf("%s.head", file);
}

static char *directory_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file) :
		       xstrdup(".");
}

/*
 * Return the number of the byte in CLAIMS that is the lock of an output file. The number is a hash of the
 * directory and the file's name, not of the file's inode, because the file need not exist yet.
 */
static off_t byte_of(const char *file, const struct stat *dir)
{
	const char *slash = strrchr(file, '/');
	uint64_t hash = (dir->st_dev * 0x9e3779b97f4a7c15 + dir->st_ino) * 0x9e3779b97f4a7c15;

	for (const char *c = slash ? slash + 1 : file; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	return hash >> 2;
}

/*
 * Lock the output file, so that no other recording writes to it. The lock is released when no process has
 * @output->claim open any more. If /run is not writable, the file is not locked. Returns 0, or -1 if another
 * recording has the lock.
 */
static int lock_file(struct output *output, const char *file, struct err *err)
{
	struct flock lock = { .l_type = F_WRLCK, .l_len = 1 };
	char *written = realpath(file, NULL);
	char *dir = directory_of(written ? written : file);
	struct stat st;
	int ret = 0;

	if (!stat(dir, &st))
		output->claim = open(CLAIMS, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (output->claim >= 0) {
		lock.l_start = byte_of(written ? written : file, &st);
		if (fcntl(output->claim, F_OFD_SETLK, &lock) &&
		    (errno == EAGAIN || errno == EACCES))
			ret = err_set(err, "another recording is writing to %s: choose another -o",
				      file);
	}
	free(dir);
	free(written);
	return ret;
}

/* Check that this process can create files in the directory of @file. Returns 0 or -1. */
static int check_directory(const char *file, struct err *err)
{
	char *dir = directory_of(file);
	char *probe = xasprintf("%s/.record-skb-XXXXXX", dir);
	int fd, ret = 0;

	/*
	 * Try to create a temporary file. access() would not be sufficient: it checks only permissions, which
	 * root always has.
	 */
	fd = mkstemp(probe);
	if (fd < 0) {
		ret = err_set(err, "cannot write to the directory %s: %s", dir, strerror(errno));
	} else {
		close(fd);
		unlink(probe);
	}
	free(probe);
	free(dir);
	return ret;
}

void output_parts(const char *name, struct strings *parts)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct stat st;
	char *part;

	for (long cpu = 0; cpu < cpus; cpu++) {
		part = xasprintf("%s.cpu%ld", name, cpu);
		if (!lstat(part, &st))
			strings_add(parts, part);
		free(part);
	}
}

static void instance_parts(const struct output *output, struct strings *parts)
{
	char *name;

	for (size_t i = 0; i < output->instances->n; i++) {
		name = xasprintf("%s.%s", output->parts, output->instances->v[i]);
		output_parts(name, parts);
		free(name);
	}
}

static int check_parts(const struct output *output, struct err *err)
{
	const char *file = output->file;
	char *head = output_head(file), *word = safe_word(file);
	char *parts_word = safe_word(output->parts);
	struct strings parts = {}, taken = {}, others = {};
	int ret = 0;

	output_parts(output->parts, &parts);
	instance_parts(output, &others);
	/*
	 * FILE.head.cpuN can have events that --recover has moved out of a persistent tracing instance. Do
	 * not overwrite them.
	 */
	output_parts(head, &taken);
	if (!access(head, F_OK))
		ret = err_set(
			err,
			"%s exists, from a recording that a crash ended: complete it with "
			"'trace-cmd record-skb --recover INSTANCE -o %s', or remove it, %s.cpu* "
			"and %s.cpu*",
			head, word, head, output->parts);
	else if (taken.n)
		ret = err_set(err,
			      "%s exists, from a recording that a crash ended: remove it, or "
			      "choose another -o",
			      taken.v[0]);
	else if (parts.n)
		ret = err_set(
			err,
			"%s exists: it is part of an interrupted recording; restore the file "
			"with 'trace-cmd restore -o FILE %s.cpu*', remove it, or choose another "
			"-o",
			parts.v[0], parts_word);
	else if (others.n)
		ret = err_set(err,
			      "%s exists: it is part of an interrupted recording; remove it, or "
			      "choose another -o",
			      others.v[0]);
	strings_free(&others);
	strings_free(&taken);
	strings_free(&parts);
	free(parts_word);
	free(word);
	free(head);
	return ret;
}

int output_check(struct output *output, const char *file, const struct strings *instances,
		 struct err *err)
{
	output->file = file;
	output->parts = xstrdup(file);
	output->instances = instances;
	output->existed = !stat(file, &output->before);
	output->claim = -1;
	if (!*file)
		return err_set(err, "-o needs the name of a file");
	if (output->existed && !S_ISREG(output->before.st_mode))
		return err_set(err, "cannot write to %s: it is not a regular file", file);
	if (output->existed && access(file, W_OK))
		return err_set(err, "cannot write to %s: %s", file, strerror(errno));
	if (check_directory(file, err))
		return -1;
	if (lock_file(output, file, err))
		return -1;
	return check_parts(output, err);
}

void output_free(struct output *output)
{
	struct flock lock = { .l_type = F_UNLCK };

	/*
	 * Unlock explicitly: closing does not release the lock if the watchdog still has the file descriptor
	 * open.
	 */
	if (output->parts && output->claim >= 0) {
		fcntl(output->claim, F_OFD_SETLK, &lock);
		close(output->claim);
	}
	free(output->parts);
	output->parts = NULL;
}

/*
 * Replace @file by a new, empty file that only root can read. A process that has the old file open cannot
 * read the new one. Return true if this was successful.
 */
static bool replace_by_private(const char *file)
{
	char *dir = directory_of(file);
	char *empty = xasprintf("%s/.record-skb-XXXXXX", dir);
	const int fd = mkstemp(empty);
	bool replaced = false;

	if (fd >= 0) {
		close(fd);
		replaced = !rename(empty, file);
		if (!replaced)
			unlink(empty);
	}
	free(empty);
	free(dir);
	return replaced;
}

/* Make the existing file readable only for root. With O_TRUNC in @flags, make it empty, too. */
static void restrict_in_place(const char *file, int flags)
{
	const int fd = open(file, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags);

	if (fd < 0)
		return;
	/*
	 * Ignore errors: a file system such as FAT has no owners and modes of files. It takes them from its
	 * mount options.
	 */
	if (fchown(fd, geteuid(), getegid()) || fchmod(fd, OUTPUT_MODE))
		errno = 0;
	close(fd);
}

void output_make_private(const char *file)
{
	char *written = realpath(file, NULL);

	/* If the file cannot be replaced, because it is a mount point or the disk is full, make it empty. */
	if (written && !replace_by_private(written))
		restrict_in_place(written, O_TRUNC);
	free(written);
}

void output_restrict(const char *file)
{
	char *written = realpath(file, NULL);

	if (written)
		restrict_in_place(written, 0);
	free(written);
}

static bool has_entry(struct tracecmd_input *handle)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct tep_record *record = NULL;
	bool found;

	for (int cpu = 0; cpu < cpus && !record; cpu++)
		record = tracecmd_read_cpu_first(handle, cpu);
	found = record;
	tracecmd_free_record(record);
	return found;
}

int output_check_written(const char *file, bool has_entries, struct err *err)
{
	struct tracecmd_input *handle;
	bool whole;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	handle = tracecmd_open(file, TRACECMD_FL_LOAD_NO_PLUGINS);
	whole = handle && (!has_entries || has_entry(handle));
	if (handle)
		tracecmd_close(handle);
	if (!whole)
		return err_set(err, "%s is incomplete: it cannot be read back; is the disk full?",
			       file);
	return 0;
}

unsigned long long output_size(const struct output *output)
{
	unsigned long long size = 0;
	struct strings parts = {};
	struct stat st;

	output_parts(output->parts, &parts);
	for (size_t i = 0; i < parts.n; i++)
		if (!stat(parts.v[i], &st))
			size += st.st_size;
	strings_free(&parts);
	return size;
}

static void remove_parts(const struct strings *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		unlink(parts->v[i]);
}

bool output_run_quietly(const struct strings *command)
{
	pid_t ended, pid = fork();
	int status, null;

	if (!pid) {
		null = open("/dev/null", O_RDWR);
		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		umask(OUTPUT_UMASK);
		execv(command->v[0], command->v);
		_exit(EXIT_OURS);
	}
	if (pid < 0)
		return false;
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

bool output_restore(const struct output *output, const char *trace_cmd)
{
	const bool has_entries = output_size(output);
	struct strings parts = {}, command = {};
	bool restored = false;
	struct err err;

	output_parts(output->parts, &parts);
	if (parts.n)
		output_make_private(output->file);
	strings_add(&command, trace_cmd);
	strings_add(&command, "restore");
	strings_add(&command, "-o");
	strings_add(&command, output->file);
	for (size_t i = 0; i < parts.n; i++)
		strings_add(&command, parts.v[i]);
	/* Check the restored file: "trace-cmd restore" does not notice a full disk. */
	if (parts.n)
		restored = output_run_quietly(&command) &&
			   !output_check_written(output->file, has_entries, &err);
	if (restored)
		remove_parts(&parts);
	strings_free(&command);
	strings_free(&parts);
	return restored;
}

void output_discard(const struct output *output)
{
	struct strings parts = {};
	struct stat now;
	char *written;

	if (!stat(output->file, &now) && (!output->existed || now.st_ino != output->before.st_ino ||
					  now.st_mtim.tv_sec != output->before.st_mtim.tv_sec ||
					  now.st_mtim.tv_nsec != output->before.st_mtim.tv_nsec)) {
		/* If the user named a symbolic link, remove the file to which it points. */
		written = realpath(output->file, NULL);
		unlink(written ? written : output->file);
		free(written);
	}
	/*
	 * All parts belong to this recording, because output_check() has made sure that no parts existed
	 * before.
	 */
	output_parts(output->parts, &parts);
	instance_parts(output, &parts);
	remove_parts(&parts);
	strings_free(&parts);
}
