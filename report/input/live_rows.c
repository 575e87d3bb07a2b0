// SPDX-License-Identifier: GPL-2.0
/* live_rows.c - read the rows of a running recording, sorted by time */
#include <errno.h>
#include <fcntl.h>
#include <kbuffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "input/running_kernel.h"
#include "input/live_rows.h"
#include "record_skb.h"

/*
 * Number of rounds that a row waits before it is passed on. In each round, every CPU is read once. After
 * these rounds, all older rows of the other CPUs have been read.
 */
#define BEHIND 2

/* Maximum number of pages per CPU that are read but not passed on yet. Further pages are read later. */
#define MAX_PAGES 1024

/* A row in a page. */
struct place {
	uint64_t ts;
	void *data;
	int size;
	int missed; /* number of rows lost before this row, -1 if not known */
};

struct page {
	struct page *next;
	unsigned int n, done;
	struct place *rows;
	unsigned char bytes[];
};

/* The pages of a CPU that were read but not passed on yet. */
struct cpu {
	int fd;
	off_t at; /* position in the per-CPU file of trace-cmd record */
	struct page *first, **last;
	unsigned int nr_pages;
	uint64_t newest;
	bool missed; /* rows were lost before the next row */
};

struct live_input {
	struct tep_handle *tep;
	struct kernel_names *names;
	struct kbuffer *kbuffer;
	bool parts;
	size_t page_size;
	struct cpu *cpus;
	int nr_cpus;
	struct tep_record row;
	struct page *row_page; /* page of @row, if @row is the last row in it; freed after @row */
	/*
	 * Times of the newest rows. Element [0] is for the rows that were read up to the end of the current
	 * round. Element [1] is for those of the round before, and so on.
	 */
	uint64_t newest[BEHIND + 1];
	uint64_t known_to;  /* all rows up to this time were read; later rows may be unread */
	uint64_t handed_on; /* time of the last row passed on */
	/*
	 * Lower bounds of the trace clock. Element [0] is for the end of the current round, element [1] for
	 * the end of the round before, and so on.
	 */
	uint64_t sure[BEHIND + 1];
	uint64_t newest_at; /* when the newest row was read, by CLOCK_MONOTONIC */
	bool all;
};

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Return: the size of a ring buffer page. Since Linux 6.8 it can be larger than the kernel's page size. */
static size_t page_size_of(const char *tracing)
{
	char path[4096];
	unsigned long kb = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/buffer_subbuf_size_kb", tracing);
	file = fopen(path, "re");
	if (file && fscanf(file, "%lu", &kb) != 1)
		kb = 0;
	if (file)
		fclose(file);
	return kb ? kb * 1024 : (size_t)sysconf(_SC_PAGESIZE);
}

int live_input_learn(struct live_input *input, const char *tracing, struct err *err)
{
	static const char *const systems[] = { "ftrace", RECORD_SKB_MODULE, NULL };

	tep_set_loglevel(TEP_LOG_NONE);
	input->tep = tracefs_local_events_system(tracing, systems);
	if (!input->tep)
		return err_set(err, "cannot read the formats of events in %s", tracing);
	input->names = kernel_names_open(input->tep, err);
	return input->names ? 0 : -1;
}

static int open_cpu(const struct live_input *input, const char *tracing, const char *file, int cpu)
{
	char path[4096];

	if (file)
		snprintf(path, sizeof(path), "%s.cpu%d", file, cpu);
	else
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", tracing, cpu);
	return open(path, O_RDONLY | O_CLOEXEC | (input->parts ? 0 : O_NONBLOCK));
}

static int open_cpus(struct live_input *input, const char *tracing, const char *file,
		     struct err *err)
{
	for (int i = 0; i < input->nr_cpus; i++) {
		struct cpu *cpu = &input->cpus[i];

		cpu->last = &cpu->first;
		/*
		 * CPU numbers can have gaps. A CPU that does not exist has neither a buffer nor a per-CPU
		 * file.
		 */
		cpu->fd = open_cpu(input, tracing, file, i);
		if (cpu->fd < 0 && errno != ENOENT && errno != ENODEV && errno != ENXIO)
			return err_set(err, "cannot read the buffer of CPU %d: %s", i,
				       strerror(errno));
	}
	return 0;
}

struct live_input *live_input_open(const char *tracing, const char *file, struct err *err)
{
	struct live_input *input = calloc(1, sizeof(*input));

	if (!input)
		goto no_memory;
	input->parts = file;
	input->page_size = page_size_of(tracing);
	input->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	input->cpus = calloc(input->nr_cpus, sizeof(*input->cpus));
	input->kbuffer = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!input->cpus || !input->kbuffer)
		goto no_memory;
	for (int i = 0; i < input->nr_cpus; i++)
		input->cpus[i].fd = -1;
	if (!open_cpus(input, tracing, file, err))
		return input;
	live_input_close(input);
	return NULL;

no_memory:
	err_set(err, "out of memory");
	live_input_close(input);
	return NULL;
}

static void free_page(struct page *page)
{
	if (page)
		free(page->rows);
	free(page);
}

/* Remove the first page from the list of the CPU and return it. */
static struct page *take_page(struct cpu *cpu)
{
	struct page *page = cpu->first;

	cpu->first = page->next;
	cpu->nr_pages--;
	if (!cpu->first)
		cpu->last = &cpu->first;
	return page;
}

void live_input_close(struct live_input *input)
{
	if (!input)
		return;
	for (int i = 0; input->cpus && i < input->nr_cpus; i++) {
		while (input->cpus[i].first)
			free_page(take_page(&input->cpus[i]));
		if (input->cpus[i].fd >= 0)
			close(input->cpus[i].fd);
	}
	free(input->cpus);
	free_page(input->row_page);
	if (input->kbuffer)
		kbuffer_free(input->kbuffer);
	if (input->tep)
		tep_free(input->tep);
	kernel_names_close(input->names);
	free(input);
}

struct tep_handle *live_input_tep(struct live_input *input)
{
	return input->tep;
}

int live_input_cpus(const struct live_input *input)
{
	return input->nr_cpus;
}

/*
 * Read the next page of a CPU. Return: true if a page was read. The last page of a per-CPU file is not read
 * while trace-cmd is still writing it.
 */
static bool read_page(const struct live_input *input, struct cpu *cpu, struct page *page)
{
	const size_t size = input->page_size;
	const ssize_t n = input->parts ? pread(cpu->fd, page->bytes, size, cpu->at) :
					 read(cpu->fd, page->bytes, size);

	if (n <= 0 || (input->parts && (size_t)n < size))
		return false;
	memset(page->bytes + n, 0, size - n);
	cpu->at += n;
	return true;
}

/* Return: the number of rows lost before the next row of the page; -1 if the number is not known. */
static int missed_before(const struct live_input *input, struct cpu *cpu, const struct page *page)
{
	int missed = page->n ? 0 : kbuffer_missed_events(input->kbuffer);

	if (cpu->missed)
		missed = -1;
	cpu->missed = false;
	return missed;
}

static bool add_row(struct live_input *input, struct cpu *cpu, struct page *page,
		    const struct place *row)
{
	struct place *rows = page->rows;

	if (!(page->n & (page->n - 1)))
		rows = realloc(rows, (page->n ? page->n * 2 : 1) * sizeof(*rows));
	if (!rows)
		return false;
	page->rows = rows;
	rows[page->n] = *row;
	rows[page->n].missed = missed_before(input, cpu, page);
	page->n++;
	return true;
}

/*
 * Find the rows in a page. Count a row as lost if it comes too late, because a later row was already passed
 * on.
 */
static void find_rows(struct live_input *input, struct cpu *cpu, struct page *page)
{
	struct kbuffer *kbuffer = input->kbuffer;
	unsigned long long ts;
	void *data;

	if (kbuffer_load_subbuffer(kbuffer, page->bytes)) {
		cpu->missed = true;
		return;
	}
	for (data = kbuffer_read_event(kbuffer, &ts); data;
	     data = kbuffer_next_event(kbuffer, &ts)) {
		const struct place row = {
			.ts = ts,
			.data = data,
			.size = kbuffer_event_size(kbuffer),
		};

		if (ts < input->handed_on || !add_row(input, cpu, page, &row))
			cpu->missed = true;
	}
	if (!page->n)
		cpu->missed |= kbuffer_missed_events(kbuffer) != 0;
}

/* Read the next page of a CPU. Return: true if the CPU may have more pages. */
static bool read_cpu(struct live_input *input, struct cpu *cpu)
{
	struct page *page = calloc(1, sizeof(*page) + input->page_size);

	if (!page || !read_page(input, cpu, page)) {
		free(page);
		return false;
	}
	find_rows(input, cpu, page);
	if (!page->n) {
		free_page(page);
		return true;
	}
	cpu->newest = page->rows[page->n - 1].ts;
	if (cpu->newest > input->newest[0]) {
		input->newest[0] = cpu->newest;
		input->newest_at = clock_ns();
	}
	*cpu->last = page;
	cpu->last = &page->next;
	cpu->nr_pages++;
	return true;
}

bool live_input_read(struct live_input *input, bool all)
{
	input->all = all;
	input->known_to = UINT64_MAX;
	memmove(input->newest + 1, input->newest, BEHIND * sizeof(*input->newest));
	memmove(input->sure + 1, input->sure, BEHIND * sizeof(*input->sure));
	for (int i = 0; i < input->nr_cpus; i++) {
		struct cpu *cpu = &input->cpus[i];

		while (cpu->fd >= 0 && cpu->nr_pages < MAX_PAGES)
			if (!read_cpu(input, cpu))
				break;
		if (cpu->nr_pages == MAX_PAGES && cpu->newest < input->known_to)
			input->known_to = cpu->newest;
	}
	if (input->newest[0])
		input->sure[0] = input->newest[0] + (clock_ns() - input->newest_at);
	return input->known_to != UINT64_MAX;
}

static bool can_be_handed_on(const struct live_input *input, uint64_t ts)
{
	return ts <= input->known_to && (input->all || ts <= input->newest[BEHIND]);
}

const struct tep_record *live_input_next(struct live_input *input)
{
	struct cpu *first = NULL;
	const struct place *row;

	free_page(input->row_page);
	input->row_page = NULL;
	for (int i = 0; i < input->nr_cpus; i++) {
		struct cpu *cpu = &input->cpus[i];

		if (cpu->first && (!first || cpu->first->rows[cpu->first->done].ts <
						     first->first->rows[first->first->done].ts))
			first = cpu;
	}
	if (!first)
		return NULL;
	row = &first->first->rows[first->first->done];
	if (!can_be_handed_on(input, row->ts))
		return NULL;
	input->row = (struct tep_record){
		.ts = row->ts,
		.cpu = first - input->cpus,
		.data = row->data,
		.size = row->size,
		.record_size = row->size,
		.missed_events = row->missed,
	};
	if (row->ts > input->handed_on)
		input->handed_on = row->ts;
	if (++first->first->done == first->first->n)
		input->row_page = take_page(first);
	return &input->row;
}

uint64_t live_input_now(const struct live_input *input)
{
	const uint64_t sure = input->sure[BEHIND];

	return sure < input->known_to ? sure : input->known_to;
}
