// SPDX-License-Identifier: GPL-2.0
/* The trace.dat to be written. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h> /* trace-cmd.h of 1.2 does not */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "output-file.h"
#include "persistent.h"
#include "strlist.h"

/* One byte of it is locked for each file that is being written. */
#define CLAIMS "/run/record_skb.files"

static char *directory_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file) :
		       xstrdup(".");
}

/* Which byte is that of a file, which need not be there yet. */
static off_t byte_of(const char *file, const struct stat *dir)
{
	const char *slash = strrchr(file, '/');
	uint64_t hash = (dir->st_dev * 0x9e3779b97f4a7c15 + dir->st_ino) * 0x9e3779b97f4a7c15;

	for (const char *c = slash ? slash + 1 : file; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	return hash >> 2;
}

/* Until the last process ends that has @output->claim. Where /run cannot be written, there is none. */
static int claim(struct output *output, const char *file, struct err *err)
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
			ret = err_set(err, "another recording is writing to %s: take another -o",
				      file);
	}
	free(dir);
	free(written);
	return ret;
}

/* Of @file. */
static int check_directory(const char *file, struct err *err)
{
	char *dir = directory_of(file);
	char *probe = xasprintf("%s/.record-skb-XXXXXX", dir);
	int fd, ret = 0;

	/* access() would only ask about permissions, which root has; a try asks about all. */
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
	char *head = persistent_head(file);
	struct strings parts = {}, taken = {}, others = {};
	int ret = 0;

	output_parts(output->parts, &parts);
	instance_parts(output, &others);
	/* What --recover has taken out of an instance. */
	output_parts(head, &taken);
	if (!access(head, F_OK))
		ret = err_set(
			err,
			"%s is there, of a recording that a crash ended: 'trace-cmd record-skb "
			"--recover INSTANCE -o %s' makes it whole; or remove it, %s.cpu* and "
			"%s.cpu*",
			head, file, head, output->parts);
	else if (taken.n)
		ret = err_set(err,
			      "%s is there, of a recording that a crash ended: remove it, or take "
			      "another -o",
			      taken.v[0]);
	else if (parts.n)
		ret = err_set(
			err,
			"%s is there, a part of a recording that was cut off: make it whole by "
			"'trace-cmd restore -o FILE %s.cpu*', remove it, or take another -o",
			parts.v[0], output->parts);
	else if (others.n)
		ret = err_set(err,
			      "%s is there, a part of a recording that was cut off: remove it, or "
			      "take another -o",
			      others.v[0]);
	strings_free(&others);
	strings_free(&taken);
	strings_free(&parts);
	free(head);
	return ret;
}

/* As trace-cmd calls them. */
static char *parts_name(const char *file, const char *temp)
{
	const char *slash = strrchr(file, '/');

	return temp ? xasprintf("%s/%s", temp, slash ? slash + 1 : file) : xstrdup(file);
}

int output_check(struct output *output, const char *file, const char *temp,
		 const struct strings *instances, struct err *err)
{
	output->file = file;
	output->parts = parts_name(file, temp);
	output->instances = instances;
	output->existed = !stat(file, &output->before);
	output->claim = -1;
	if (!*file)
		return err_set(err, "-o needs the name of a file");
	if (output->existed && !S_ISREG(output->before.st_mode))
		return err_set(err, "cannot write to %s: it is not a regular file", file);
	if (output->existed && access(file, W_OK))
		return err_set(err, "cannot write to %s: %s", file, strerror(errno));
	if (check_directory(file, err) || (temp && check_directory(output->parts, err)))
		return -1;
	if (claim(output, file, err))
		return -1;
	return check_parts(output, err);
}

void output_free(struct output *output)
{
	struct flock lock = { .l_type = F_UNLCK };

	/* The keeper may have a copy of it yet. */
	if (output->parts && output->claim >= 0) {
		fcntl(output->claim, F_OFD_SETLK, &lock);
		close(output->claim);
	}
	free(output->parts);
	output->parts = NULL;
}

static bool has_entry(struct tracecmd_input *handle)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct tep_record *record = NULL;

	for (int cpu = 0; cpu < cpus && !record; cpu++)
		record = tracecmd_read_cpu_first(handle, cpu);
	tracecmd_free_record(record);
	return record;
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
		return err_set(err, "%s is not whole: it cannot be read back; is the disk full?",
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
	strings_add(&command, trace_cmd);
	strings_add(&command, "restore");
	strings_add(&command, "-o");
	strings_add(&command, output->file);
	for (size_t i = 0; i < parts.n; i++)
		strings_add(&command, parts.v[i]);
	/* Nor may it say so when the disk is full. */
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
		/* A link to it is the user's. */
		written = realpath(output->file, NULL);
		unlink(written ? written : output->file);
		free(written);
	}
	/* There were none before. */
	output_parts(output->parts, &parts);
	instance_parts(output, &parts);
	remove_parts(&parts);
	strings_free(&parts);
}
