// SPDX-License-Identifier: GPL-2.0
/*
 * graph_functions.c - choose the functions that function_graph records, and the functions that the module
 * traces for function_graph
 */
#include <errno.h>
#include <glob.h>
#include <libkmod.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/kernel_types.h"
#include "probes/graph_functions.h"
#include "record_skb.h"
#include "module/module_client.h"

/* Maximum number of prototypes to check for one name, which several functions can have. */
#define PROTOTYPES 4

/* Softirq handlers of networking. The list is needed because their prototypes have no types of networking. */
static const char *const net_functions[] = { "net_rx_action", "net_tx_action" };

/**
 * struct choice - rules that decide which functions are recorded
 * @net: true to choose all functions that have types of networking in their prototypes
 * @modules: sorted names of modules; all functions of these modules are chosen
 * @types: types of the kernel, from struct kernel
 */
struct choice {
	bool net;
	struct strings modules;
	struct btf_set *types;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_net_function(const char *name)
{
	for (size_t i = 0; i < sizeof(net_functions) / sizeof(net_functions[0]); i++)
		if (!strcmp(net_functions[i], name))
			return true;
	return false;
}

static bool is_of_module(const struct choice *choice, const char *module)
{
	const struct strings *modules = &choice->modules;

	return *module && modules->n &&
	       bsearch(&module, modules->v, modules->n, sizeof(*modules->v), by_name);
}

/*
 * Find the prototypes of a function. If the function is a variant that the compiler made, such as
 * "name.isra.0", use the prototypes of the function "name". Returns the number of prototypes as btf_find()
 * does.
 */
static int find_prototypes(struct btf_set *types, const struct function *function,
			   struct prototype *found)
{
	char *name;
	int n;

	if (!types)
		return 0;
	if (!function_is_variant(function->name))
		return btf_find(types, function->name, function->module, found, PROTOTYPES);
	name = xasprintf("%.*s", (int)strcspn(function->name, "."), function->name);
	n = btf_find(types, name, function->module, found, PROTOTYPES);
	free(name);
	return n;
}

/*
 * Return true if a function handles packets, according to its prototype. The transmit functions of drivers
 * always count, because the module also probes them. Without BTF, only transmit functions are recognized, by
 * "xmit" in their names.
 */
static bool is_of_packets(const struct choice *choice, const struct function *function)
{
	struct prototype found[PROTOTYPES];
	const int n = find_prototypes(choice->types, function, found);

	for (int i = 0; i < n && i < PROTOTYPES; i++)
		if (prototype_is_transmit(&found[i]) ||
		    (choice->net && prototype_is_net(&found[i])))
			return true;
	return n <= 0 && strstr(function->name, "xmit");
}

static bool is_chosen(const struct choice *choice, const struct function *function)
{
	if (is_of_module(choice, function->module))
		return true;
	if (function_is_tracing(function->name))
		return false;
	if (choice->net && is_net_function(function->name))
		return true;
	return is_of_packets(choice, function) &&
	       !(choice->net && net_skip_list_has(function->name));
}

/*
 * Add the modules that the user has named, and check that they have functions. The user may write "-" for "_"
 * in a name, as for modprobe; the kernel has only "_". Returns 0 or -1.
 */
static int add_named(struct strings *modules, const struct strings *names,
		     const struct functions *functions, struct err *err)
{
	for (size_t i = 0; i < names->n; i++) {
		char *name;
		size_t k = 0;

		strings_add(modules, names->v[i]);
		name = modules->v[modules->n - 1];
		for (char *p = name; *p; p++)
			if (*p == '-')
				*p = '_';
		while (k < functions->n && strcmp(functions->v[k].module, name))
			k++;
		if (k == functions->n)
			return err_set(err,
				       "the module '%s' does not exist or is not loaded, or ftrace "
				       "cannot trace any of its functions",
				       names->v[i]);
	}
	return 0;
}

static void choose_functions(const struct choice *choice, const struct functions *all,
			     struct strings *functions)
{
	for (size_t i = 0; i < all->n; i++)
		if (is_chosen(choice, &all->v[i]))
			strings_add(functions, all->v[i].name);
}

enum detail graph_functions_detail(const struct options *o, const struct kernel *kernel)
{
	if (o->detail)
		return o->detail;
	if (o->modules.n)
		return DETAIL_PATH;
	/*
	 * If the user gives -l, record all functions that it names. Without BTF, record all functions:
	 * functions of networking cannot be recognized.
	 */
	return o->listed.n || !btf_is_readable(kernel->types) ? DETAIL_FULL : DETAIL_NET;
}

bool graph_functions_all(const struct options *o, const struct kernel *kernel)
{
	return graph_functions_detail(o, kernel) == DETAIL_FULL && !o->listed.n && !o->excluded.n;
}

/*
 * Add the functions of the user's option -l. This program looks them up, and not trace-cmd, because the
 * kernel would search all functions for each name.
 */
static void add_listed(const struct options *o, const struct functions *all,
		       struct strings *functions)
{
	const struct function *f;

	for (size_t i = 0; i < o->listed.n; i++)
		for (f = NULL; (f = functions_match(all, o->listed.v[i], f));)
			strings_add(functions, f->name);
}

/* Remove the functions of the user's option -n from @functions. */
static void remove_excluded(const struct options *o, const struct functions *all,
			    struct strings *functions)
{
	struct strings excluded = {};
	const struct function *f;
	size_t left = 0;

	for (size_t i = 0; i < o->excluded.n; i++)
		for (f = NULL; (f = functions_match(all, o->excluded.v[i], f));)
			strings_add(&excluded, f->name);
	strings_sort(&excluded);
	for (size_t i = 0; i < functions->n; i++) {
		if (bsearch(&functions->v[i], excluded.v, excluded.n, sizeof(*excluded.v), by_name))
			free(functions->v[i]);
		else
			functions->v[left++] = functions->v[i];
	}
	functions->n = left;
	if (functions->v)
		functions->v[left] = NULL;
	strings_free(&excluded);
}

static int add_functions(const struct options *o, struct kernel *kernel, struct strings *functions,
			 struct err *err)
{
	const enum detail detail = graph_functions_detail(o, kernel);
	struct choice choice = { .net = detail == DETAIL_NET, .types = kernel->types };

	add_listed(o, &kernel->functions, functions);
	if (detail == DETAIL_FULL && !o->listed.n)
		for (size_t i = 0; i < kernel->functions.n; i++)
			strings_add(functions, kernel->functions.v[i].name);
	if (detail == DETAIL_FULL)
		return 0;
	if (add_named(&choice.modules, &o->modules, &kernel->functions, err)) {
		strings_free(&choice.modules);
		return -1;
	}
	if (choice.net)
		net_modules(&choice.modules);
	strings_sort(&choice.modules);
	choose_functions(&choice, &kernel->functions, functions);
	strings_free(&choice.modules);
	return 0;
}

int graph_functions_add(const struct options *o, struct kernel *kernel, struct strings *functions,
			struct err *err)
{
	if (graph_functions_all(o, kernel))
		return 0;
	if (graph_functions_detail(o, kernel) == DETAIL_NET && !btf_is_readable(kernel->types))
		return err_set(err,
			       "--detail net needs the types of functions' arguments, which this "
			       "kernel does not have (it has no " BTF_DIR ")");
	if (functions_read(&kernel->functions, err) || add_functions(o, kernel, functions, err))
		return -1;
	if (o->excluded.n)
		remove_excluded(o, &kernel->functions, functions);
	return 0;
}

/*
 * Add the loaded modules that are stored below a directory named "net", such as
 * /lib/modules/VERSION/kernel/drivers/net/veth.ko.xz.
 */
static void add_by_path(struct strings *modules)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	struct kmod_list *loaded = NULL, *item;

	if (!ctx)
		return;
	kmod_set_log_priority(ctx, 0); /* suppress libkmod's messages */
	kmod_load_resources(ctx);
	if (!kmod_module_new_from_loaded(ctx, &loaded)) {
		kmod_list_foreach(item, loaded) {
			struct kmod_module *module = kmod_module_get_module(item);
			const char *path = kmod_module_get_path(module);

			if (path && strstr(path, "/net/"))
				strings_add(modules, kmod_module_get_name(module));
			kmod_module_unref(module);
		}
		kmod_module_unref_list(loaded);
	}
	kmod_unref(ctx);
}

/*
 * Add the drivers of the network devices in this namespace. A package may have installed such a driver in
 * another directory than "net", so that add_by_path() does not find it.
 */
static void add_by_device(struct strings *modules)
{
	char target[PATH_MAX];
	glob_t links;
	ssize_t n;

	if (glob("/sys/class/net/*/device/driver/module", 0, NULL, &links))
		return;
	for (size_t i = 0; i < links.gl_pathc; i++) {
		n = readlink(links.gl_pathv[i], target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		strings_add(modules, strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
	}
	globfree(&links);
}

void net_modules(struct strings *modules)
{
	add_by_path(modules);
	add_by_device(modules);
}

/*
 * Names of functions that --detail net leaves out; see net_skip_list_has(). A name that ends with "*" is a
 * prefix.
 */
/* clang-format off */
static const char * const skip_list[] = {
	/* Functions of security modules. Their caller, a function security_*, is recorded. */
	"apparmor_*", "bpf_lsm_*", "aa_*", "tomoyo_*", "selinux_*", "smack_*",
	/*
	 * Functions that move the beginning or the end of a packet's data, or that set fields of the sk_buff.
	 */
	"skb_put", "skb_push", "skb_pull", "skb_pull_rcsum", "skb_set_owner_w",
	"skb_scrub_packet", "skb_headers_offset_update",
	"__build_skb_around", "__copy_skb_header", "eth_type_trans", "ip_send_check",
	"ip_generic_getfrag", "ipv4_pktinfo_prepare", "tcp_v4_fill_cb", "tcp_v6_fill_cb",
	"skb_clone_tx_timestamp",
	/*
	 * Functions that free a part of a packet. Their callers are recorded, and show that the packet was
	 * freed.
	 */
	"kfree_skbmem", "skb_free_head",
	/* Checksums. */
	"udp4_hwcsum", "skb_csum_hwoffload_help", "tcp_v4_send_check", "__tcp_v4_send_check",
	"tcp_v6_send_check", "__skb_checksum",
	/* Functions that look up routes and devices, or count references. */
	"dst_release", "ipv4_mtu", "ip6_mtu", "ipv4_dst_check", "ip6_dst_check",
	"ipv4_default_advmss", "ip6_default_advmss",
	"fib_lookup_good_nhc", "find_exception", "inet_lookup_ifaddr_rcu",
	"dev_get_by_index_rcu", "skb_network_protocol",
	"passthru_features_check", "netdev_core_pick_tx", "l3mdev_*",
	/* Hashes. */
	"inet_ehashfn", "inet6_ehashfn",
	/* Functions that account for the memory of sockets. */
	"udp_rmem_release", "__sk_mem_reduce_allocated", "sk_forced_mem_schedule",
	"sk_leave_memory_pressure",
	"tcp_leave_memory_pressure", "tcp_stream_memory_free", "sk_page_frag_refill",
	"tcp_wmem_schedule", "tcp_check_space",
	/* Functions in which TCP accounts for each segment: rates, times, pacing and window. */
	"tcp_mstamp_refresh", "tcp_established_options", "tcp_chrono_*", "tcp_rate_*",
	"tcp_ack_update_rtt*",
	"tcp_update_pacing_rate", "tcp_update_skb_after_send", "tcp_rearm_rto",
	"tcp_schedule_loss_probe*",
	"tcp_rack_update_reo_wnd", "tcp_rack_advance", "tcp_newly_delivered", "tcp_ack_tstamp",
	"tcp_in_ack_event",
	"tcp_do_parse_auth_options", "tcp_xmit_recovery", "tcp_measure_rcv_mss",
	"tcp_rbtree_insert", "tcp_init_cwnd",
	"tcp_delack_max", "__tcp_select_window", "__tcp_cleanup_rbuf", "bpf_skops_*",
	"sk_reset_timer",
	"sk_stop_timer", "cubictcp_*", "bictcp_*",
};
/* clang-format on */

static bool matches_pattern(const char *pattern, const char *name)
{
	for (; *pattern == *name; pattern++, name++)
		if (!*name)
			return true;
	return *pattern == '*';
}

bool net_skip_list_has(const char *name)
{
	for (size_t i = 0; i < sizeof(skip_list) / sizeof(skip_list[0]); i++)
		if (matches_pattern(skip_list[i], name))
			return true;
	return false;
}

/*
 * Split a symbol such as "name+0x4/0x80 [module]" into @name and @module. For a symbol of the kernel itself,
 * @module becomes "".
 */
static void split_symbol(char *symbol, const char **name, const char **module)
{
	char *bracket = strchr(symbol, '[');

	*name = symbol;
	*module = "";
	if (bracket) {
		bracket[strcspn(bracket, "]")] = '\0';
		*module = bracket + 1;
	}
	symbol[strcspn(symbol, "+")] = '\0';
}

/*
 * Marks of functions: does the module pass the calls of this function to function_graph? NOT_GIVEN: no.
 * TO_GIVE: yes, and the module must still be told. GIVEN: yes, and the module was told. There is an array
 * with a mark for each element of struct functions. This is faster than comparing each of 50,000 functions
 * with a hundred gates and probe points.
 */
enum { NOT_GIVEN, TO_GIVE, GIVEN };

static void mark_names(unsigned char *marks, const struct functions *functions,
		       const struct strings *names, unsigned char mark)
{
	const struct function *function;
	size_t n;

	for (size_t i = 0; i < names->n; i++) {
		function = functions_find(functions, names->v[i], &n);
		if (n)
			memset(&marks[function - functions->v], mark, n * sizeof(*marks));
	}
}

/*
 * Make an array of marks for all functions, to be freed. The functions in @chosen are marked TO_GIVE, except
 * those in @own. If @chosen is NULL, all functions are chosen.
 */
static unsigned char *mark_chosen(const struct functions *functions, const struct strings *chosen,
				  const struct strings *own)
{
	unsigned char *const marks = xrealloc(NULL, functions->n * sizeof(*marks));

	memset(marks, chosen ? NOT_GIVEN : TO_GIVE, functions->n * sizeof(*marks));
	if (chosen)
		mark_names(marks, functions, chosen, TO_GIVE);
	mark_names(marks, functions, own, NOT_GIVEN);
	return marks;
}

/* Return the mark of the function at @address; NULL if function_graph cannot trace this function. */
static unsigned char *mark_at(unsigned char *marks, int session, const struct functions *functions,
			      unsigned long long address)
{
	char symbol[RECORD_SKB_SYMBOL_LEN];
	const struct function *function;
	const char *name, *module;
	size_t n;

	if (session_symbol(session, address, symbol))
		return NULL;
	split_symbol(symbol, &name, &module);
	function = functions_find(functions, name, &n);
	for (; n; n--, function++)
		if (function->address == address && !strcmp(function->module, module))
			return &marks[function - functions->v];
	return NULL;
}

/*
 * The module attaches to some functions in any case, such as probe points. If such a function is marked
 * TO_GIVE, tell the module to pass the calls of the function to function_graph, and mark the function as
 * GIVEN. Returns 0 or a negative errno.
 */
static int set_own(unsigned char *marks, int session, const struct functions *functions)
{
	struct record_skb_function one = {};
	unsigned char *mark;
	int ret;

	for (; !session_function(session, &one); one.index++) {
		mark = mark_at(marks, session, functions, one.address);
		if (!mark || *mark == NOT_GIVEN)
			continue;
		one.flags = RECORD_SKB_FUNCTION_ALONE;
		ret = session_function(session, &one);
		if (ret)
			return ret;
		one.flags = 0;
		*mark = GIVEN;
	}
	return 0;
}

/*
 * Let the module attach to the functions that are still marked TO_GIVE, so that function_graph need not trace
 * them. Returns 0 or a negative errno.
 */
static int attach_marked(const unsigned char *marks, int session, const struct functions *functions,
			 bool all)
{
	unsigned long long *addresses = xrealloc(NULL, functions->n * sizeof(*addresses));
	struct record_skb_graph graph = {
		.functions = (uintptr_t)addresses,
		.flags = all ? RECORD_SKB_GRAPH_LATER : 0,
	};
	int ret;

	for (size_t i = 0; i < functions->n; i++)
		if (marks[i] == TO_GIVE && functions->v[i].address)
			addresses[graph.nr_functions++] = functions->v[i].address;
	ret = graph.nr_functions ? session_set_graph(session, &graph) : 0;
	free(addresses);
	return ret;
}

/*
 * Tell the module for which functions it has to pass the calls to function_graph. Returns 0 or a negative
 * errno. -EAGAIN means that a module was loaded or unloaded after the list of functions was read: the kernel
 * rejects addresses in an unloaded module, and the list does not have the functions of a new module.
 */
static int set_functions(int session, const struct functions *functions,
			 const struct strings *chosen, const struct strings *own)
{
	unsigned char *const marks = mark_chosen(functions, chosen, own);
	int ret = set_own(marks, session, functions);

	if (!ret)
		ret = attach_marked(marks, session, functions, !chosen);
	free(marks);
	if (ret == -EINVAL || (!ret && !functions_hold(functions)))
		return -EAGAIN;
	return ret;
}

/* How often to try again if a module was loaded or unloaded at the same time. */
#define TRIES 20

static bool takes_calls(int session)
{
	const struct record_skb_graph none = {};

	return session_set_graph(session, &none) != -EOPNOTSUPP;
}

int graph_trampoline_set_up(int session, struct functions *functions, const struct strings *chosen,
			    const struct strings *own, bool *relayed, struct err *err)
{
	int ret = 0;

	*relayed = false;
	if (!takes_calls(session))
		return 0;
	if (functions_read(functions, err))
		return -1;
	for (int i = 0; i < TRIES; i++) {
		ret = set_functions(session, functions, chosen, own);
		if (ret != -EAGAIN)
			break;
		if (functions_read_again(functions, err))
			return -1;
	}
	*relayed = !ret;
	if (ret && ret != -EOPNOTSUPP)
		return err_set(err, "cannot choose the functions of the graph: %s",
			       ret == -EAGAIN ? "modules come and go all the time" :
						strerror(-ret));
	return 0;
}
