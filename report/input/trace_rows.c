// SPDX-License-Identifier: GPL-2.0
/*
 * trace_rows.c - read the rows of a trace.dat sorted by time, with limited memory
 *
 * libtracecmd up to 1.3 (trace-cmd 3.1, as in Debian 12) keeps the pages of a compressed file until the file
 * is closed, because its free_zpage() does not find the decompressed pages. It also searches all of these
 * pages for each new page, so reading becomes slower and slower. Therefore this code closes and reopens the
 * file when its rows use too much memory. Reading then continues at the old position of each CPU. The event
 * formats and function names of the first handle stay in use. The file is not reopened with newer libraries,
 * which free the pages. An uncompressed file stays mapped even after libtracecmd has closed it. Therefore
 * this code releases the mapped pages with madvise(). Remove both workarounds when the support for
 * libtracecmd 1.3 ends.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "input/trace_rows.h"

/*
 * A compressed file is reopened each time that rows of a certain total size have been read. For each page,
 * libtracecmd 1.3 searches the parts that it has decompressed since the file was opened. So a large size
 * makes this search slow. When libtracecmd opens a file, it reads a header for each 40 KB of rows. So a small
 * size makes a large file slow. The size is an eighth of the file, but within these limits. These rows are
 * in memory, so the limits are also the memory that a compressed file needs.
 */
#ifndef REOPEN_BYTES
#define MIN_REOPEN_BYTES (16 << 20)
#define MAX_REOPEN_BYTES (64 << 20)
#else
#define MIN_REOPEN_BYTES REOPEN_BYTES
#define MAX_REOPEN_BYTES REOPEN_BYTES
#endif

/* The mapped pages of a file are released each time that rows of this total size have been read. */
#define UNMAP_BYTES (8 << 20)

/* Maximum number of times that keeps_rows() reads the memory in use. */
#define MAX_CHECKS 4

/* Number of rows at the end of each CPU's rows that input_look_at_end() reads. */
#define LAST_ROWS 32

/*
 * Limit for the number of CPUs. No kernel can be built for more; a higher number means that the file is
 * damaged.
 */
#define MAX_CPUS 8192

struct input {
	char *path;
	char *real_path;
	struct tep_handle *tep; /* formats and function names, from the first handle */
	struct tracecmd_input *handle;
	int cpus;
	/* the next row of each CPU; the oldest of these rows is the next row of the file */
	struct tep_record **next;
	struct tep_record *current;
	uint64_t *last; /* for each CPU, the offset of the last row in the file; 0 if not known */
	uint64_t *read_to; /* for each CPU, the offset of the last row that input_next() has returned */
	size_t reopen_bytes; /* size of the rows after which a compressed file is reopened */
	size_t bytes;	     /* size of the rows read since keeps_rows() looked at the memory */
	size_t held;	     /* memory in use when keeps_rows() looked at it last */
	unsigned int checks; /* number of times that keeps_rows() has read the memory in use */
	bool keeps;	     /* libtracecmd does not free rows that were read; see keeps_rows() */
	size_t mapped;	     /* size of the rows read since mapped pages were last released */
	bool is_mapped;
};

/* True while a file is reopened. Its function names need not be parsed again. */
static bool skips_function_names;

/*
 * This function replaces the function of libtraceevent with the same name, which libtracecmd calls when it
 * opens a file. It can skip the names of 200,000 functions, because they need most of the time. If the
 * dynamic linker prefers libtraceevent's function, reopening a file takes longer, and nothing else changes.
 */
int tep_parse_kallsyms(struct tep_handle *tep, const char *block);
int tep_parse_kallsyms(struct tep_handle *tep, const char *block)
{
	static int (*parse)(struct tep_handle * tep, const char *block);

	if (skips_function_names)
		return 0;
	if (!parse)
		parse = dlsym(RTLD_NEXT, "tep_parse_kallsyms");
	return parse ? parse(tep, block) : -1;
}

/*
 * Open a file without tracecmd_open(). If the data after the headers are damaged, tracecmd_open() closes an
 * incomplete handle and crashes (seen up to 1.3.1). For the same reason, this function does not close the
 * handle after a failure. The handle uses little memory, which is freed when the program exits.
 */
static struct tracecmd_input *open_file(const char *path)
{
	struct tracecmd_input *handle = tracecmd_open_head(path, TRACECMD_FL_LOAD_NO_PLUGINS);

	tep_set_loglevel(TEP_LOG_NONE);
	return handle && !tracecmd_init_data(handle) ? handle : NULL;
}

/* Return: the memory in use, in bytes; 0 if the C library does not tell. */
static size_t memory_in_use(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

/*
 * Return: true if libtracecmd has kept the rows that were read last, or if the memory in use is not known.
 * The memory that our own program needs for packets is ignored, because it is much less than the memory of
 * the rows. The answer depends only on the version of libtracecmd, and mallinfo2() is slow. So this function
 * reads the memory in use only a few times.
 */
static bool keeps_rows(struct input *input)
{
	size_t now;

	if (input->keeps || input->checks == MAX_CHECKS)
		return input->keeps;
	input->checks++;
	now = memory_in_use();
	input->keeps = !now || now > input->held + input->reopen_bytes / 2;
	input->held = now;
	return input->keeps;
}

/*
 * libtracecmd exports the next two functions, but no installed header declares them. The symbols are weak in
 * case a later version removes them.
 */
struct tep_record *tracecmd_read_cpu_last(struct tracecmd_input *handle, int cpu)
	__attribute__((weak));
struct tep_record *tracecmd_read_prev(struct tracecmd_input *handle, struct tep_record *record)
	__attribute__((weak));

static void drop_record(struct tep_record **record)
{
	if (*record)
		tracecmd_free_record(*record);
	*record = NULL;
}

/* Read the first row of a CPU, and note the offset of its last row. */
static void begin_cpu(struct input *input, int cpu)
{
	struct tep_record *last;

	input->next[cpu] = tracecmd_read_data(input->handle, cpu);
	if (!input->next[cpu] || !tracecmd_read_cpu_last)
		return;
	drop_record(&input->next[cpu]);
	last = tracecmd_read_cpu_last(input->handle, cpu);
	if (last && last->cpu == cpu)
		input->last[cpu] = last->offset;
	drop_record(&last);
	input->next[cpu] = tracecmd_read_cpu_first(input->handle, cpu);
}

/* Return: the total size of the rows after which a compressed file of @size bytes is reopened. */
static size_t reopen_bytes(off_t size)
{
	if (size / 8 > MAX_REOPEN_BYTES)
		return MAX_REOPEN_BYTES;
	return size / 8 > MIN_REOPEN_BYTES ? size / 8 : MIN_REOPEN_BYTES;
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
		err_set(err, "cannot read '%s': it is not a file", path);
		return NULL;
	}
	if (access(path, R_OK)) {
		err_set(err, "cannot read '%s': %s; only root can read recordings: try sudo", path,
			strerror(errno));
		return NULL;
	}
	input = calloc(1, sizeof(*input));
	if (!input || !(input->path = strdup(path)) || !(input->real_path = realpath(path, NULL)))
		goto no_memory;
	/* Keep libtracecmd from printing its own messages to standard error; they do not help the user. */
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input->handle = open_file(path);
	if (!input->handle) {
		err_set(err,
			"cannot read '%s': it is not a recording of trace-cmd, or its end is "
			"missing",
			path);
		goto fail;
	}
	input->tep = tracecmd_get_tep(input->handle);
	tep_ref(input->tep);
	input->cpus = tep_get_cpus(input->tep);
	if (input->cpus > MAX_CPUS) {
		err_set(err, "cannot read '%s': the file is damaged (it has %d CPUs)", path,
			input->cpus);
		input->cpus = 0;
		goto fail;
	}
	input->next = calloc(input->cpus > 0 ? input->cpus : 1, sizeof(*input->next));
	input->last = calloc(input->cpus > 0 ? input->cpus : 1, sizeof(*input->last));
	input->read_to = calloc(input->cpus > 0 ? input->cpus : 1, sizeof(*input->read_to));
	if (!input->next || !input->last || !input->read_to)
		goto no_memory;
	for (int cpu = 0; cpu < input->cpus; cpu++)
		begin_cpu(input, cpu);
	input->reopen_bytes = reopen_bytes(st.st_size);
	input->held = memory_in_use();
	return input;

no_memory:
	err_set(err, "out of memory");
fail:
	input_close(input);
	return NULL;
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
	if (input->tep)
		tep_unref(input->tep);
	free(input->next);
	free(input->last);
	free(input->read_to);
	free(input->real_path);
	free(input->path);
	free(input);
}

struct tep_handle *input_tep(struct input *input)
{
	return input->tep;
}

/*
 * libtracecmd exports this function in every version, but declares it in a header that is not installed. The
 * symbol is weak in case a later version removes it.
 */
const char *tracecmd_get_trace_clock(struct tracecmd_input *handle) __attribute__((weak));

const char *input_clock(struct input *input)
{
	return tracecmd_get_trace_clock ? tracecmd_get_trace_clock(input->handle) : NULL;
}

/* libtracecmd exports this function, too, without a declaration in an installed header. */
const char *tracecmd_get_uname(struct tracecmd_input *handle) __attribute__((weak));

const char *input_machine(struct input *input)
{
	return tracecmd_get_uname ? tracecmd_get_uname(input->handle) : NULL;
}

/* libtracecmd exports this function, too, without a declaration in an installed header. */
int tracecmd_enable_tsync(struct tracecmd_input *handle, bool enable) __attribute__((weak));

uint64_t input_synced_id(struct input *input)
{
	/*
	 * The call changes nothing, because libtracecmd has enabled the correction when it opened the file.
	 * It only tells if the file has data for the correction.
	 */
	if (!tracecmd_enable_tsync || tracecmd_enable_tsync(input->handle, true))
		return 0;
	return tracecmd_get_traceid(input->handle);
}

bool input_has_guest(const char *path, uint64_t id)
{
	struct tracecmd_input *handle = open_file(path);
	const bool has = handle && !tracecmd_get_guest_cpumap(handle, id, NULL, NULL, NULL);

	if (handle)
		tracecmd_close(handle);
	return has;
}

int input_cpus(struct input *input)
{
	return input->cpus;
}

static void look_at_last_rows(struct input *input, int cpu, input_look *look, void *data)
{
	struct tep_record *record = tracecmd_read_cpu_last(input->handle, cpu), *before;

	for (int n = 0; record && n < LAST_ROWS;) {
		if (!look(data, record))
			n++;
		before = tracecmd_read_prev(input->handle, record);
		/* In a damaged file, the rows of a CPU can form a loop: stop unless the offset decreases. */
		if (before && before->offset >= record->offset)
			drop_record(&before);
		drop_record(&record);
		record = before;
	}
	drop_record(&record);
}

bool input_look_at_end(struct input *input, input_look *look, void *data)
{
	if (!tracecmd_read_cpu_last || !tracecmd_read_prev)
		return false;
	for (int cpu = 0; cpu < input->cpus; cpu++) {
		if (!input->next[cpu])
			continue;
		drop_record(&input->next[cpu]);
		look_at_last_rows(input, cpu, look, data);
		input->next[cpu] = tracecmd_read_cpu_first(input->handle, cpu);
	}
	return true;
}

const struct tep_record *input_peek(const struct input *input, int cpu)
{
	return input->next[cpu];
}

bool input_ended_early(const struct input *input, int cpu)
{
	return !input->next[cpu] && input->last[cpu] > input->read_to[cpu];
}

/*
 * Return: the row at this offset; NULL if no row begins there. The next tracecmd_read_data() continues
 * after this row.
 */
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

/*
 * Close and reopen the file. If that fails, continue to use the old handle, which needs more and more memory.
 */
static void reopen_file(struct input *input)
{
	struct tep_record **next = calloc(input->cpus, sizeof(*next));
	struct tracecmd_input *handle;
	bool ok;

	skips_function_names = true;
	handle = open_file(input->path);
	skips_function_names = false;
	ok = handle && next;
	for (int cpu = 0; ok && cpu < input->cpus; cpu++) {
		if (!input->next[cpu])
			continue;
		next[cpu] = record_at(handle, input->next[cpu]->offset, cpu);
		ok = next[cpu];
		/*
		 * tracecmd_read_at() does not set missed_events, because libtracecmd finds lost rows only
		 * while it reads in order. Keep the value from the first reading.
		 */
		if (ok)
			next[cpu]->missed_events = input->next[cpu]->missed_events;
	}
	if (!ok) {
		for (int cpu = 0; next && cpu < input->cpus; cpu++)
			drop_record(&next[cpu]);
		free(next);
		if (handle)
			tracecmd_close(handle);
		return;
	}

	for (int cpu = 0; cpu < input->cpus; cpu++)
		drop_record(&input->next[cpu]);
	tracecmd_close(input->handle);
	free(input->next);
	input->handle = handle;
	input->next = next;
}

/*
 * Release the mapped pages of the file. If the pages are accessed later, the kernel reads them from the file
 * again.
 *
 * Return: false if no page of the file is mapped.
 */
static bool drop_mapped(struct input *input)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char *line = NULL;
	bool found = false;
	size_t capacity = 0;
	ssize_t len;
	int path;

	while (maps && (len = getline(&line, &capacity, maps)) > 0) {
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

const struct tep_record *input_next(struct input *input)
{
	int first = -1;

	drop_record(&input->current);
	if (input->mapped > UNMAP_BYTES) {
		input->mapped = 0;
		input->is_mapped = drop_mapped(input);
	}
	if (input->bytes > input->reopen_bytes) {
		input->bytes = 0;
		if (!input->is_mapped && keeps_rows(input))
			reopen_file(input);
	}
	for (int cpu = 0; cpu < input->cpus; cpu++) {
		if (input->next[cpu] &&
		    (first < 0 || input->next[cpu]->ts < input->next[first]->ts))
			first = cpu;
	}
	if (first < 0)
		return NULL;
	input->current = input->next[first];
	input->read_to[first] = input->current->offset;
	input->bytes += input->current->record_size;
	input->mapped += input->current->record_size;
	input->next[first] = tracecmd_read_data(input->handle, first);
	/* In a damaged file, the rows of a CPU can form a loop: stop unless the offset increases. */
	if (input->next[first] && input->next[first]->offset <= input->current->offset)
		drop_record(&input->next[first]);
	return input->current;
}
