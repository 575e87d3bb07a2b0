// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_symbols.c - look up functions and tracepoints of the kernel by name, and read the prototypes of
 * functions from BTF
 *
 * A lookup of a function returns the address of its ftrace site. kallsyms_lookup_name() is not exported to
 * modules.
 *
 * But register_kprobe() also looks up a function by its name. Registering a kprobe as disabled changes no
 * code of the kernel. Unregistering waits for an RCU grace period, so the kprobes of all lookups are kept and
 * unregistered together. Registering a kprobe is slow, because it searches all jump labels of the kernel.
 * Therefore user space may pass addresses that it knows.
 *
 * The kernel has a function that finds a BTF type by name, but some supported kernels do not export it to
 * modules. Therefore this file reads BTF from sysfs. It uses a mount of its own: another file system may be
 * mounted over /sys, and may never answer.
 *
 * The caller of each function except tracepoint_named() holds session_lock, which protects the data of this
 * file.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/jhash.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "arch/arch.h"
#include "kernel_symbols.h"

static struct kprobe *kept[256];
static unsigned int nr_kept;

/**
 * struct place - a function of the kernel image with an address that user space has passed
 * @name: name of the function
 * @func: address of the function
 * @ip: address of its ftrace site
 */
struct place {
	const char *name;
	unsigned long func;
	unsigned long ip;
};

static struct place *places;
static u32 nr_places;

/*
 * Store the address of an ftrace site, which user space has passed. An ftrace filter accepts any address
 * inside the call instruction of a site, but callbacks get the address of the start of this instruction. So
 * an address with an unusual offset is not stored, and its function is looked up later. sprint_symbol()
 * returns "name+0x4/0x80", followed by " [module]" for a module.
 */
static int add_place(unsigned long ip)
{
	char symbol[KSYM_SYMBOL_LEN], *plus;
	unsigned long offset;

	sprint_symbol(symbol, ip);
	plus = strchr(symbol, '+');
	if (!plus || strchr(plus, '[') || sscanf(plus, "+%lx/", &offset) != 1 ||
	    !arch_is_site_offset(offset))
		return 0;
	*plus = '\0';
	places[nr_places] = (struct place){
		.name = kstrdup(symbol, GFP_KERNEL),
		.func = ip - offset,
		.ip = ip,
	};
	if (!places[nr_places].name)
		return -ENOMEM;
	nr_places++;
	return 0;
}

static int add_places(unsigned long *ips, u32 nr)
{
	/*
	 * Test if ftrace knows the addresses: if it does not know one of them, it refuses to set the filter
	 * of an ftrace_ops. This ftrace_ops is never registered.
	 */
	static struct ftrace_ops asking;
	int err = ftrace_set_filter_ips(&asking, ips, nr, 0, 1);
	u32 i;

	ftrace_set_filter(&asking, NULL, 0, 1);
	places = err ? NULL : kvcalloc(nr, sizeof(*places), GFP_KERNEL);
	if (!places)
		return err ?: -ENOMEM;
	for (i = 0; i < nr && !err; i++)
		err = add_place(ips[i]);
	return err;
}

/* Forget all addresses that user space passed. */
void kallsyms_forget(void)
{
	while (nr_places)
		kfree(places[--nr_places].name);
	kvfree(places);
	places = NULL;
}

/* Maximum number of functions in a list of user space. Kernels have fewer functions than that. */
#define MAX_FUNCTIONS (1 << 20)

/**
 * functions_from_user() - copy a list of function addresses from user space
 * @from: user address of the list
 * @nr: number of functions
 *
 * The caller must not hold session_lock: with userfaultfd, user space decides when a page fault ends.
 *
 * Return: the list, for functions_free(); or an ERR_PTR with -EINVAL, -EFAULT or -ENOMEM.
 */
unsigned long *functions_from_user(u64 from, u32 nr)
{
	if (!nr || nr > MAX_FUNCTIONS)
		return ERR_PTR(-EINVAL);
	return vmemdup_user(u64_to_user_ptr(from), nr * sizeof(unsigned long));
}

/* Free a list of functions_from_user(), which may be NULL or an error. */
void functions_free(unsigned long *functions)
{
	if (!IS_ERR_OR_NULL(functions))
		kvfree(functions);
}

/**
 * kallsyms_set() - set addresses of functions that need not be looked up
 * @want: the addresses, as passed by user space
 * @functions: the list in @want, copied by functions_from_user()
 *
 * Return: 0; an error as documented for struct record_skb_addresses; or -ENOMEM. After an error, none of
 * these addresses is stored.
 */
int kallsyms_set(const struct record_skb_addresses *want, unsigned long *functions)
{
	int err;

	if (want->nr_functions > RECORD_SKB_MAX_ADDRESSES || want->reserved)
		return -EINVAL;
	if (IS_ERR(functions))
		return PTR_ERR(functions);
	kallsyms_forget();
	err = add_places(functions, want->nr_functions);
	if (err)
		kallsyms_forget();
	return err;
}

static int look_up(struct kprobe want, unsigned long *ip)
{
	struct kprobe *kp;
	int err;

	want.flags = KPROBE_FLAG_DISABLED;
	kp = kmemdup(&want, sizeof(want), GFP_KERNEL);
	if (!kp)
		return -ENOMEM;
	err = register_kprobe(kp);
	if (err) {
		kfree(kp);
		return err == -ENOENT || err == -ENOMEM ? err : -EOPNOTSUPP;
	}
	/* The kprobe has an address now and does not need the name, which the caller may free. */
	kp->symbol_name = NULL;
	if (nr_kept == ARRAY_SIZE(kept))
		kallsyms_done();
	kept[nr_kept++] = kp;
	return arch_site_find(kp, ip);
}

/**
 * kallsyms_find() - look up a function of the kernel or of a module
 * @func: name of the function
 * @ip: set to the address of its ftrace site
 *
 * Call kallsyms_done() after the last lookup.
 *
 * Return: 0; -ENOENT if the function does not exist; -EOPNOTSUPP if ftrace cannot trace the function, or if
 * kprobes refuse the function because it is part of the tracing code; -ENOMEM.
 */
int kallsyms_find(const char *func, unsigned long *ip)
{
	u32 i;

	for (i = 0; i < nr_places; i++)
		if (!strcmp(places[i].name, func)) {
			*ip = places[i].ip;
			return 0;
		}
	return look_up((struct kprobe){ .symbol_name = func }, ip);
}

/**
 * kallsyms_address() - find the ftrace site of a function at a known address
 * @func: address of the function
 * @ip: set to the address of its ftrace site
 *
 * Return: as kallsyms_find().
 */
int kallsyms_address(unsigned long func, unsigned long *ip)
{
	u32 i;

	for (i = 0; i < nr_places; i++)
		if (places[i].func == func) {
			*ip = places[i].ip;
			return 0;
		}
	return look_up((struct kprobe){ .addr = (kprobe_opcode_t *)func }, ip);
}

/**
 * kallsyms_find_untraced() - look up a function of the kernel that ftrace cannot trace
 * @func: name of the function
 *
 * Return: the address of the function; 0 if it does not exist or kprobes refuse it.
 */
unsigned long kallsyms_find_untraced(const char *func)
{
	struct kprobe look = { .symbol_name = func, .flags = KPROBE_FLAG_DISABLED };
	unsigned long address;

	if (register_kprobe(&look))
		return 0;
	address = (unsigned long)look.addr;
	unregister_kprobe(&look);
	return address;
}

/* Unregister the kprobes of the lookups. */
void kallsyms_done(void)
{
	unsigned int i;

	if (!nr_kept)
		return;
	unregister_kprobes(kept, nr_kept);
	for (i = 0; i < nr_kept; i++)
		kfree(kept[i]);
	nr_kept = 0;
}

struct search {
	const char *name;
	struct tracepoint *found;
};

static void look_at(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

/**
 * tracepoint_named() - find a tracepoint of the kernel image, which may not be exported to modules
 * @name: name of the tracepoint
 *
 * Return: the tracepoint, which is never freed; NULL if this kernel does not have it.
 */
struct tracepoint *tracepoint_named(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(look_at, &search);
	return search.found;
}

/* Maximum size of a BTF file. The BTF of vmlinux has about 5 MB. */
#define TYPES_MAX_SIZE (64 << 20)
/* Maximum length of a chain of typedefs and qualifiers. */
#define TYPES_MAX_CHAIN 32

/* Open a file of sysfs, with the rights of the calling process. */
static struct file *open_in_sysfs(const char *path)
{
	struct file_system_type *type = get_fs_type("sysfs");
	struct vfsmount *mount = type ? vfs_kern_mount(type, SB_KERNMOUNT, "sysfs", NULL) :
					ERR_PTR(-ENODEV);
	struct file *file;

	if (IS_ERR(mount))
		return ERR_CAST(mount);
	file = file_open_root_mnt(mount, path, O_RDONLY, 0);
	/* The file keeps the mount until it is closed. */
	mntput(mount);
	return file;
}

static int types_read(struct types *types, const char *name)
{
	char path[sizeof("kernel/btf/") + MODULE_NAME_LEN];
	struct file *file;
	loff_t pos = 0;
	ssize_t n = 1;

	snprintf(path, sizeof(path), "kernel/btf/%s", name);
	file = open_in_sysfs(path);
	if (IS_ERR(file))
		return PTR_ERR(file);
	types->size = i_size_read(file_inode(file));
	if (types->size > TYPES_MAX_SIZE)
		types->size = 0;
	types->data = types->size ? kvmalloc(types->size, GFP_KERNEL) : NULL;
	while (types->data && n > 0 && pos < types->size)
		n = kernel_read(file, types->data + pos, types->size - pos, &pos);
	filp_close(file, NULL);
	if (!types->size)
		return -EINVAL;
	if (!types->data)
		return -ENOMEM;
	return pos == types->size ? 0 : -EIO;
}

/*
 * Return: size of a type in BTF, including its list of members or parameters; 0 for an unknown kind of
 * type.
 */
static size_t type_size(const struct btf_type *type)
{
	const u32 n = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return sizeof(*type);
	case BTF_KIND_INT:
		return sizeof(*type) + sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(*type) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*type) + n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*type) + n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*type) + n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*type) + n * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(*type) + sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return sizeof(*type) + n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(*type) + sizeof(struct btf_decl_tag);
	}
	return 0;
}

/*
 * Walk over all types. The first pass counts the types. The second pass, after the tables were allocated,
 * fills the tables.
 */
static int types_walk(struct types *types, const void *at, const void *end, u32 *functions)
{
	u32 nr = 0;
	size_t size;

	for (*functions = 0; at < end; at += size, nr++) {
		const struct btf_type *type = at;

		size = end - at >= sizeof(*type) ? type_size(type) : 0;
		if (!size || size > end - at)
			return -EINVAL;
		*functions += BTF_INFO_KIND(type->info) == BTF_KIND_FUNC;
		if (types->type)
			types->type[nr] = type;
	}
	types->nr = nr;
	return 0;
}

static u32 name_hash(const struct types *types, const char *name)
{
	return jhash(name, strlen(name), 0) & types->by_name_mask;
}

static void types_hash(struct types *types)
{
	u32 i, at;

	for (i = 0; i < types->nr; i++) {
		if (BTF_INFO_KIND(types->type[i]->info) != BTF_KIND_FUNC)
			continue;
		at = name_hash(types, types_name(types, types->type[i]));
		while (types->by_name[at])
			at = (at + 1) & types->by_name_mask;
		types->by_name[at] = types->first + i;
	}
}

static int types_index(struct types *types)
{
	const struct btf_header *header = types->data;
	const void *begin, *end;
	u64 strings_end;
	u32 functions;
	int err;

	if (types->size < sizeof(*header) || header->magic != BTF_MAGIC ||
	    header->version != BTF_VERSION || header->hdr_len > types->size ||
	    (u64)header->hdr_len + header->type_off + header->type_len > types->size)
		return -EINVAL;
	begin = types->data + header->hdr_len + header->type_off;
	end = begin + header->type_len;
	strings_end = (u64)header->hdr_len + header->str_off + header->str_len;
	if (strings_end > types->size || !header->str_len ||
	    ((const char *)types->data)[strings_end - 1])
		return -EINVAL;
	types->strings = types->data + header->hdr_len + header->str_off;
	types->strings_len = header->str_len;
	types->strings_first = types->base ? types->base->strings_len : 0;
	types->first = types->base ? types->base->first + types->base->nr : 1;

	err = types_walk(types, begin, end, &functions);
	if (err)
		return err;
	types->by_name_mask = roundup_pow_of_two(2 * functions + 2) - 1;
	types->type = kvmalloc_array(types->nr, sizeof(*types->type), GFP_KERNEL);
	types->by_name = kvcalloc(types->by_name_mask + 1, sizeof(*types->by_name), GFP_KERNEL);
	if (!types->type || !types->by_name)
		return -ENOMEM;
	err = types_walk(types, begin, end, &functions);
	if (!err)
		types_hash(types);
	return err;
}

/**
 * types_load() - read the types of the kernel or of a module
 * @name: "vmlinux", or the name of the module
 * @base: types of the kernel, NULL to load the types of the kernel; must outlive the result
 *
 * May sleep.
 *
 * Return: the types, to be released with types_free(); NULL if there are none or they cannot be read; an
 * ERR_PTR with -ENOMEM.
 */
struct types *types_load(const char *name, const struct types *base)
{
	struct types *types = kzalloc(sizeof(*types), GFP_KERNEL);
	int err;

	if (!types)
		return ERR_PTR(-ENOMEM);
	types->base = base;
	err = types_read(types, name) ?: types_index(types);
	if (!err)
		return types;
	types_free(types);
	return err == -ENOMEM ? ERR_PTR(err) : NULL;
}

/* Release the types. @types may be NULL. */
void types_free(struct types *types)
{
	if (!types)
		return;
	kvfree(types->by_name);
	kvfree(types->type);
	kvfree(types->data);
	kfree(types);
}

/* Return: the type with number @id; NULL for 0 (void) and for numbers out of range. */
const struct btf_type *types_get(const struct types *types, u32 id)
{
	while (types && id < types->first)
		types = types->base;
	return types && id - types->first < types->nr ? types->type[id - types->first] : NULL;
}

/* Do the work of types_get(), but skip typedefs and qualifiers. */
const struct btf_type *types_plain(const struct types *types, u32 id)
{
	const struct btf_type *type = types_get(types, id);
	int i;

	for (i = 0; type && i < TYPES_MAX_CHAIN; i++) {
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			type = types_get(types, type->type);
			break;
		default:
			return type;
		}
	}
	return NULL;
}

/* Return: name of the type, "" if it has none. */
const char *types_name(const struct types *types, const struct btf_type *type)
{
	u32 at = type->name_off;

	while (types && at < types->strings_first)
		types = types->base;
	if (!types || at - types->strings_first >= types->strings_len)
		return "";
	return types->strings + (at - types->strings_first);
}

/**
 * types_function() - find the prototype of a function
 * @types: types to search
 * @func: name of the function
 * @nth: index among the functions with this name, starting at 0
 *
 * Return: the BTF_KIND_FUNC_PROTO of the function; NULL if fewer functions have this name.
 */
const struct btf_type *types_function(const struct types *types, const char *func, u32 nth)
{
	const struct btf_type *type;
	u32 at;

	for (at = name_hash(types, func); types->by_name[at]; at = (at + 1) & types->by_name_mask) {
		type = types_get(types, types->by_name[at]);
		if (strcmp(types_name(types, type), func) || nth--)
			continue;
		type = types_get(types, type->type);
		return type && BTF_INFO_KIND(type->info) == BTF_KIND_FUNC_PROTO ? type : NULL;
	}
	return NULL;
}
