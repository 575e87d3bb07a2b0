// SPDX-License-Identifier: GPL-2.0
/*
 * drop-reasons [FILE] - print the names of the kernel's drop reasons, from the BTF of the running kernel or
 * in FILE
 */
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

#define PREFIX "SKB_DROP_REASON_"

int main(int argc, char **argv)
{
	struct btf *btf = argc > 1 ? btf__parse(argv[1], NULL) : btf__load_vmlinux_btf();
	const struct btf_type *type;
	const struct btf_enum *value;
	int id = btf ? btf__find_by_name_kind(btf, "skb_drop_reason", BTF_KIND_ENUM) : -1;
	int n = 0;

	if (id < 0) {
		fprintf(stderr, "no enum skb_drop_reason\n");
		return 1;
	}
	type = btf__type_by_id(btf, id);
	value = btf_enum(type);
	for (int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, value[i].name_off);

		if (!strncmp(name, PREFIX, strlen(PREFIX)) && ++n)
			puts(name + strlen(PREFIX));
	}
	btf__free(btf);
	return !n;
}
