// SPDX-License-Identifier: GPL-2.0
/* running_kernel.c - look up function names of the running kernel with the module's device */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "input/running_kernel.h"
#include "record_skb.h"

struct kernel_names {
	int device;
	struct record_skb_symbol symbol; /* buffer for the last lookup */
};

/*
 * Return: the name of the function at the address. NULL if the module does not know the address;
 * libtraceevent then prints the address.
 */
static char *resolve_name(void *data, unsigned long long *address, char **module)
{
	struct kernel_names *names = data;
	char *plus;

	(void)module;
	names->symbol = (struct record_skb_symbol){ .address = *address };
	if (ioctl(names->device, RECORD_SKB_GET_SYMBOL, &names->symbol))
		return NULL;
	plus = strchr(names->symbol.text, '+');
	if (!plus)
		return NULL;
	*address -= strtoull(plus, NULL, 16);
	*plus = '\0';
	return names->symbol.text;
}

struct kernel_names *kernel_names_open(struct tep_handle *tep, struct err *err)
{
	struct kernel_names *names = calloc(1, sizeof(*names));

	if (!names) {
		err_set(err, "out of memory");
		return NULL;
	}
	names->device = open(RECORD_SKB_DEVICE, O_RDWR | O_CLOEXEC);
	if (names->device < 0)
		err_set(err, "cannot open " RECORD_SKB_DEVICE ": %s", strerror(errno));
	else if (!tep_set_function_resolver(tep, resolve_name, names))
		return names;
	else
		err_set(err, "out of memory");
	kernel_names_close(names);
	return NULL;
}

void kernel_names_close(struct kernel_names *names)
{
	if (!names)
		return;
	if (names->device >= 0)
		close(names->device);
	free(names);
}
