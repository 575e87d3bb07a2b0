/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hosts.h - the hosts of joined recordings
 *
 * Hosts use the same numbers for tasks, CPUs and network namespaces. With joined recordings, the reader
 * therefore replaces these numbers by numbers that only one host uses. The functions below convert them back
 * for the output. Numbers of the first host stay the same, and so do all numbers if only one recording is
 * read.
 */
#ifndef _RECORD_SKB_HOSTS_H
#define _RECORD_SKB_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_HOSTS     64
#define HOST_NAME_LEN 64

/**
 * hosts_add - add a host before the first row is read
 * @name: its name, which can contain any bytes. If another host has the name, "-2" or another number is
 *	appended
 *
 * Return: the number of the host, from 0; -1 if there are too many hosts.
 */
int hosts_add(const char *name);
/* Return: the number of hosts; 0 unless recordings are joined. */
unsigned int hosts_count(void);
/* Return: the name of a host, escaped for a terminal. */
const char *hosts_name(unsigned int host);
/* Return: the number of the host with this name, -1 if no host has this name. */
int hosts_find(const char *name);

/* Convert a number of a host to one that only this host uses. */
int hosts_task(unsigned int host, int pid);
int hosts_cpu(unsigned int host, int cpu);
uint64_t hosts_skb(unsigned int host, uint64_t skb);
uint64_t hosts_cookie(unsigned int host, uint64_t cookie);
uint32_t hosts_call(unsigned int host, uint32_t call);
uint32_t hosts_netns(unsigned int host, uint32_t inode);

/* Convert back a number from one of the functions above to the number that the host itself used. */
int hosts_pid_of_task(int task);
unsigned int hosts_of_task(int task);
int hosts_cpu_of_cpu(int cpu);
unsigned int hosts_of_cpu(int cpu);
uint32_t hosts_inode_of_netns(uint32_t netns);
unsigned int hosts_of_netns(uint32_t netns);

#define CLOCK_ERROR_UNKNOWN UINT64_MAX
/* Set the error of the clock of a host; CLOCK_ERROR_UNKNOWN if it is not known. */
void hosts_set_clock_error(unsigned int host, uint64_t ns);
/*
 * Return: the error of a time between an event of one host and an event of another; CLOCK_ERROR_UNKNOWN
 * if it is not known. The error is 0 if both are the same host.
 */
uint64_t hosts_clock_error(unsigned int one, unsigned int other);

#define ON_HOST_LEN (HOST_NAME_LEN * 4 + 8)
/*
 * Write " on HOST" into @buf, with the name of the host on which the task ran. If the recording is of one
 * host only, write an empty text. Return: @buf.
 */
const char *words_on_host(char *buf, int task);
/* Do the same with the host of a CPU. Return: @buf. */
const char *words_on_host_of_cpu(char *buf, int cpu);

#endif
