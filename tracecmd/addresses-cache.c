// SPDX-License-Identifier: GPL-2.0
/* Where the module's functions are, kept from one recording to the next. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "addresses-cache.h"
#include "files.h"
#include "functions-cache.h"
#include "point-table.h"
#include "session.h"

/* In hexadecimal, one on a line. */
struct addresses {
	unsigned long long v[RECORD_SKB_MAX_ADDRESSES];
	unsigned int n;
};

static void addresses_read(struct addresses *addresses, const char *boot)
{
	char *text = functions_cache_get(ADDRESSES_CACHE, boot), *rest = text, *line;

	addresses->n = 0;
	while ((line = strsep(&rest, "\n")) && addresses->n < RECORD_SKB_MAX_ADDRESSES)
		addresses->v[addresses->n++] = strtoull(line, NULL, 16);
	free(text);
}

static void addresses_write(const struct addresses *addresses, const char *boot)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned int i = 0; out && i < addresses->n; i++)
		fprintf(out, "%s%llx", i ? "\n" : "", addresses->v[i]);
	if (out && !fclose(out))
		functions_cache_put(ADDRESSES_CACHE, boot, text);
	free(text);
}

static bool addresses_have(const struct addresses *addresses, unsigned long long address)
{
	for (unsigned int i = 0; i < addresses->n; i++)
		if (addresses->v[i] == address)
			return true;
	return false;
}

/* A module's may be another's next. */
static bool is_of_module(int session, unsigned long long address)
{
	char symbol[RECORD_SKB_SYMBOL_LEN];

	return session_symbol(session, address, symbol) || strchr(symbol, '[');
}

static void add(struct addresses *addresses, unsigned long long address)
{
	if (addresses->n < RECORD_SKB_MAX_ADDRESSES && !addresses_have(addresses, address))
		addresses->v[addresses->n++] = address;
}

/* Of two with one name the module has to choose, and where the kernel gives no addresses they are 0. */
static void add_listed(struct addresses *addresses, const struct functions *functions,
		       const char *name)
{
	const struct function *function;
	size_t n;

	function = functions_find(functions, name, &n);
	if (n == 1 && function->address && !*function->module)
		add(addresses, function->address);
}

static void add_table(struct addresses *addresses, const struct functions *functions)
{
	for (size_t i = 0; i < nr_places; i++)
		for (const char *const *name = places[i].names; *name; name++)
			add_listed(addresses, functions, *name);
}

/* What the module stands at by itself is among these; what is not is looked up. */
static void add_own(struct addresses *addresses, const struct functions *functions)
{
	static const char *const own[] = {
		"skb_*",
		"napi_*",
		"__consume_stateless_skb",
		"__pskb_copy_fclone",
		"ip_frag_next",
		"ip6_frag_next",
		"arch_dup_task_struct",
		"copy_creds",
		"irq_exit_rcu",
		"pfifo_fast_enqueue",
		"loopback_xmit",
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		for (const struct function *f = NULL; (f = functions_match(functions, own[i], f));)
			add_listed(addresses, functions, f->name);
}

void addresses_cache_give(int session, struct functions *functions)
{
	char *boot = functions_cache_boot();
	struct addresses addresses;
	struct err err;
	struct record_skb_addresses give = { .functions = (uintptr_t)addresses.v };
	bool had;

	if (!boot)
		return;
	addresses_read(&addresses, boot);
	/* All of the list costs less than to look up each that the module needs. */
	had = addresses.n;
	if (!had && functions_have_addresses())
		functions_read(functions, &err);
	add_table(&addresses, functions);
	if (!had)
		add_own(&addresses, functions);
	give.nr_functions = addresses.n;
	/* Without them all is looked up. What is not taken now would not be the next time, either. */
	if (addresses.n && session_set_addresses(session, &give) == -EINVAL)
		unlink(ADDRESSES_CACHE);
	free(boot);
}

void addresses_cache_keep(int session)
{
	char *boot = functions_cache_boot();
	struct record_skb_function one = {};
	struct addresses addresses;
	unsigned int had;

	if (!boot)
		return;
	addresses_read(&addresses, boot);
	had = addresses.n;
	for (; !session_function(session, &one); one.index++)
		if (!is_of_module(session, one.address))
			add(&addresses, one.address);
	if (addresses.n > had)
		addresses_write(&addresses, boot);
	free(boot);
}
