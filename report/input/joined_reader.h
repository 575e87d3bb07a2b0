/* SPDX-License-Identifier: GPL-2.0 */
/*
 * joined_reader.h - read the recordings of several hosts as if they were one
 *
 * The files are read twice: first to find the packets that several hosts have recorded and to compare the
 * clocks, then to call the observers. The caller uses the returned reader in the same way as the reader of a
 * single file.
 */
#ifndef _RECORD_SKB_JOINED_READER_H
#define _RECORD_SKB_JOINED_READER_H

#include "hosts/join.h"
#include "hosts/join_times.h"
#include "input/reader.h"

/**
 * struct host_file - the recording of one host
 * @path: name of the file
 * @name: name of the host; NULL for the name in the file
 */
struct host_file {
	const char *path, *name;
};

/**
 * struct host_offset - a value of --offset
 * @name: name of the host
 * @ns: nanoseconds to add to the times of the host
 */
struct host_offset {
	const char *name;
	int64_t ns;
};

/**
 * joined_open - join recordings
 * @files: the recordings; times are shown in the clock of the first one
 * @n: number of entries in @files
 * @offsets: the values of --offset
 * @nr_offsets: number of entries in @offsets
 * @err: set on failure
 *
 * Return: the reader; NULL on failure.
 */
struct reader *joined_open(const struct host_file *files, unsigned int n,
			   const struct host_offset *offsets, unsigned int nr_offsets,
			   struct err *err);

/*
 * Return: the hosts, and the packets that several of them have recorded; NULL if the reader reads a single
 * file.
 */
const struct join *joined_hosts(const struct reader *reader);
/* Return: the tables that convert the host's packet and flow numbers. The reader must read several files. */
const struct host_map *joined_map(const struct reader *reader, unsigned int host);
/* Return: the number of CPUs of the host. */
int joined_cpus(const struct reader *reader, unsigned int host);
/* Return: the times that packets needed between hosts; NULL if the reader reads a single file. */
const struct join_times *joined_times(const struct reader *reader);

#endif
