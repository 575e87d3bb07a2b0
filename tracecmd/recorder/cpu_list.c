// SPDX-License-Identifier: GPL-2.0
/* cpu_list.c - parse lists of CPUs such as 0-3,6 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/cpu_list.h"
#include "files.h"
#include "text.h"

/* Largest value of CONFIG_NR_CPUS. */
#define MAX_CPUS 8192
#define SET_SIZE CPU_ALLOC_SIZE(MAX_CPUS)

/* Parse a list of CPUs. Returns a set, to be freed with CPU_FREE(), or NULL if the list is invalid. */
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

	/* If it is unknown which CPUs are online, the kernel checks the list later. */
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
