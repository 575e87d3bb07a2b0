// SPDX-License-Identifier: GPL-2.0
/*
 * input.c - the rows of a trace.dat in the order of time, in little memory
 *
 * libtracecmd up to 1.3 (trace-cmd 3.1, as in Debian 12) keeps all that it ever read until the file is
 * closed. What it decompressed, its free_zpage() never finds; so the file is closed and opened again from
 * time to time, and each CPU put back to where it was. What it mapped, of a file that is not compressed, it
 * does not even unmap then; so what is mapped is given back. This can go when 1.3 is gone.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <trace-cmd.h>

#include "input.h"

/* Bytes of rows after which memory is given back. */
#ifndef REOPEN_BYTES
#define REOPEN_BYTES (64 << 20)
#endif

/* More than any kernel is built for. */
#define MAX_CPUS 8192

struct input {
	char *path;
	char *real_path;
	struct tracecmd_input *handle;
	int cpus;
	struct tep_record **next; /* of each CPU, read ahead to be put in order */
	struct tep_record *current;
	size_t bytes; /* of rows since memory was given back */
};

/*
 * Not tracecmd_open(): where what is behind the headers is damaged it closes what it has not set up, and
 * crashes (seen up to 1.3.1). So nor do we: the little that it holds goes with the program.
 */
static struct tracecmd_input *open_file(const char *path)
{
	struct tracecmd_input *handle = tracecmd_open_head(path, TRACECMD_FL_LOAD_NO_PLUGINS);

	tep_set_loglevel(TEP_LOG_NONE);
	return handle && !tracecmd_init_data(handle) ? handle : NULL;
}

struct input *input_open(const char *path, struct err *err)
{
	struct input *input;
	struct stat st;

	if (stat(path, &st)) {
		err_set(err, "cannot read '%s': %s%s", path, strerror(errno),
			strcmp(path, "trace.dat") ?
				"" :
				"; name the recording, or make one by trace-cmd record-skb");
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(err, "cannot read '%s': not a file", path);
		return NULL;
	}
	input = calloc(1, sizeof(*input));
	if (!input || !(input->path = strdup(path)) || !(input->real_path = realpath(path, NULL)))
		goto no_memory;
	/* It would say more, and to standard error, but nothing that is of use. */
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input->handle = open_file(path);
	if (!input->handle) {
		err_set(err,
			"cannot read '%s': not a trace-cmd recording, or one that "
			"has lost its end",
			path);
		goto fail;
	}
	input->cpus = tep_get_cpus(tracecmd_get_tep(input->handle));
	if (input->cpus > MAX_CPUS) {
		err_set(err, "cannot read '%s': damaged, it says that there were %d CPUs", path,
			input->cpus);
		input->cpus = 0;
		goto fail;
	}
	input->next = calloc(input->cpus > 0 ? input->cpus : 1, sizeof(*input->next));
	if (!input->next)
		goto no_memory;
	for (int cpu = 0; cpu < input->cpus; cpu++)
		input->next[cpu] = tracecmd_read_data(input->handle, cpu);
	return input;

no_memory:
	err_set(err, "out of memory");
fail:
	input_close(input);
	return NULL;
}

static void drop_record(struct tep_record **record)
{
	if (*record)
		tracecmd_free_record(*record);
	*record = NULL;
}

void input_close(struct input *input)
{
	if (!input)
		return;
	if (input->next) {
		for (int cpu = 0; cpu < input->cpus; cpu++)
			drop_record(&input->next[cpu]);
	}
	drop_record(&input->current);
	if (input->handle)
		tracecmd_close(input->handle);
	free(input->next);
	free(input->real_path);
	free(input->path);
	free(input);
}

struct tep_handle *input_tep(struct input *input)
{
	return tracecmd_get_tep(input->handle);
}

int input_cpus(struct input *input)
{
	return input->cpus;
}

/* The row at an offset, after which tracecmd_read_data() goes on. */
static struct tep_record *record_at(struct tracecmd_input *handle, unsigned long long offset,
				    int cpu)
{
	struct tep_record *record;
	int found = -1;

	record = tracecmd_read_at(handle, offset, &found);
	if (record && (found != cpu || record->offset != offset))
		drop_record(&record);
	return record;
}

/* If it fails, the file that is open is read on, and memory grows. */
static bool reopen(struct input *input)
{
	struct tracecmd_input *handle = open_file(input->path);
	struct tep_record **next = calloc(input->cpus, sizeof(*next));
	bool ok = handle && next;

	for (int cpu = 0; ok && cpu < input->cpus; cpu++) {
		if (!input->next[cpu])
			continue;
		next[cpu] = record_at(handle, input->next[cpu]->offset, cpu);
		ok = next[cpu];
		/* It is the row's own, and known from reading the rows in order only. */
		if (ok)
			next[cpu]->missed_events = input->next[cpu]->missed_events;
	}
	if (!ok) {
		for (int cpu = 0; next && cpu < input->cpus; cpu++)
			drop_record(&next[cpu]);
		free(next);
		if (handle)
			tracecmd_close(handle);
		return false;
	}

	for (int cpu = 0; cpu < input->cpus; cpu++)
		drop_record(&input->next[cpu]);
	tracecmd_close(input->handle);
	free(input->next);
	input->handle = handle;
	input->next = next;
	return true;
}

/* What is looked at again is read from the file again. Returns false if nothing of the file is mapped. */
static bool drop_mapped(struct input *input)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char *line = NULL;
	bool found = false;
	size_t room = 0;
	ssize_t len;
	int path;

	while (maps && (len = getline(&line, &room, maps)) > 0) {
		line[len - 1] = '\0';
		path = 0;
		sscanf(line, "%lx-%lx r--p %*s %*s %*s %n", &from, &to, &path);
		if (path && !strcmp(line + path, input->real_path))
			found |= !madvise((void *)from, to - from, MADV_DONTNEED);
	}
	free(line);
	if (maps)
		fclose(maps);
	return found;
}

const struct tep_record *input_next(struct input *input, bool *renewed)
{
	int first = -1;

	*renewed = false;
	drop_record(&input->current);
	if (input->bytes > REOPEN_BYTES) {
		input->bytes = 0;
		*renewed = !drop_mapped(input) && reopen(input);
	}
	for (int cpu = 0; cpu < input->cpus; cpu++) {
		if (input->next[cpu] &&
		    (first < 0 || input->next[cpu]->ts < input->next[first]->ts))
			first = cpu;
	}
	if (first < 0)
		return NULL;
	input->current = input->next[first];
	input->bytes += input->current->record_size;
	input->next[first] = tracecmd_read_data(input->handle, first);
	/* In a damaged file a CPU's rows may lead in a circle. */
	if (input->next[first] && input->next[first]->offset <= input->current->offset)
		drop_record(&input->next[first]);
	return input->current;
}
