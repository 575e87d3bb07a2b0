// SPDX-License-Identifier: GPL-2.0
/*
 * drop-reasons [FILE] - print the names of the kernel's drop reasons, from BTF. The BTF is in FILE, or is
 * that of the running kernel. Since Linux 7, queueing disciplines have their own reasons. They are printed
 * as in report/model/causes.c, for example "QDISC_DROP (* FLOW_LIMIT)".
 */
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

/*
 * Print the names in an enum that begin with @prefix. @format prints a name without the prefix. Return: the
 * number of printed names.
 */
static int print_values(const struct btf *btf, const char *name_of_enum, const char *prefix,
			const char *format)
{
	int id = btf__find_by_name_kind(btf, name_of_enum, BTF_KIND_ENUM);
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, id);
	int n = 0;

	for (int i = 0; type && i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, btf_enum(type)[i].name_off);

		if (strncmp(name, prefix, strlen(prefix)))
			continue;
		n++;
		printf(format, name + strlen(prefix));
	}
	return n;
}

int main(int argc, char **argv)
{
	struct btf *btf = argc > 1 ? btf__parse(argv[1], NULL) : btf__load_vmlinux_btf();
	int n = btf ? print_values(btf, "skb_drop_reason", "SKB_DROP_REASON_", "%s\n") : 0;

	if (n)
		print_values(btf, "qdisc_drop_reason", "QDISC_DROP_", "QDISC_DROP (* %s)\n");
	else
		fprintf(stderr, "no enum skb_drop_reason\n");
	btf__free(btf);
	return !n;
}
