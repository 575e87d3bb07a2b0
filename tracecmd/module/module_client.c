// SPDX-License-Identifier: GPL-2.0
/*
 * module_client.c - talk to the module over its device file: set up a recording, and pass the settings to be
 * restored
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <tracefs.h>
#include <unistd.h>

#include "module/module_client.h"
#include "text.h"

static int check_abi(const struct record_skb_info *info, struct err *err)
{
	if (info->abi == RECORD_SKB_ABI)
		return 0;
	return err_set(err,
		       "the loaded module " RECORD_SKB_MODULE
		       " has another version (its ABI is %u, that of "
		       "this program is %u): unload it with 'modprobe -r " RECORD_SKB_MODULE
		       "', and install both from the same sources",
		       info->abi, RECORD_SKB_ABI);
}

/*
 * Return true if the module supports shared recordings on this kernel. @session must not have begun a
 * recording before this call.
 */
static bool can_be_shared(int session)
{
	struct record_skb_share share = {};

	return !ioctl(session, RECORD_SKB_CLAIM_SHARED, &share) || errno == EBUSY;
}

static int report_holder(int session, const struct record_skb_info *info, struct err *err)
{
	const char *hint = "only one recording can run at a time";

	if (info->shared == RECORD_SKB_MAX_SHARED)
		hint = "three other recordings are running, too, which is the maximum";
	else if (info->shared)
		hint = "it uses --shared, so other recordings can run at the same time if they "
		       "use --shared, too";
	else if (can_be_shared(session))
		hint = "only one recording can run at a time, unless all of them use --shared";
	return err_set(err, "%.*s (pid %d) is recording packets: %s", RECORD_SKB_COMM_LEN,
		       info->holder_comm, info->holder_pid, hint);
}

static int not_claimed(int session, int error, struct err *err)
{
	struct record_skb_info info;

	if (error == EOPNOTSUPP)
		return err_set(err,
			       "--shared: on this kernel, only one recording can run at a time, "
			       "because function_graph has no instances (Linux 6.11 has them)");
	if (error == EAGAIN)
		return err_set(
			err,
			"a recording was killed, and tracing is not restored yet: end the "
			"process that still uses function_graph, or has trace_pipe or a tracing "
			"instance open");
	if (error != EBUSY)
		return err_set(err, "cannot claim the recording: %s", strerror(error));
	if (ioctl(session, RECORD_SKB_GET_INFO, &info) || !info.holder_pid)
		return err_set(err, "another process was recording packets just now: try again");
	return report_holder(session, &info, err);
}

/* How long to wait until the module has restored the settings of a killed recording. */
#define RESTORE_MSEC 30000
#define POLL_MSEC    100

static int claim_module(int session, unsigned int *recording, struct err *err)
{
	struct record_skb_share share = {};
	int msec = 0;

	while (recording ? ioctl(session, RECORD_SKB_CLAIM_SHARED, &share) :
			   ioctl(session, RECORD_SKB_CLAIM)) {
		if (errno != EAGAIN || msec >= RESTORE_MSEC)
			return not_claimed(session, errno, err);
		usleep(POLL_MSEC * 1000);
		msec += POLL_MSEC;
	}
	if (recording)
		*recording = share.recording;
	return 0;
}

int session_is_held(struct err *err)
{
	struct record_skb_info info = {};
	int session, ret = 0;

	session = open(RECORD_SKB_DEVICE, O_RDWR | O_CLOEXEC);
	if (session < 0)
		return 0;
	if (!ioctl(session, RECORD_SKB_GET_INFO, &info) && info.holder_pid)
		ret = report_holder(session, &info, err);
	close(session);
	return ret;
}

int session_open(unsigned int *recording, struct err *err)
{
	struct record_skb_info info;
	int session;

	session = open(RECORD_SKB_DEVICE, O_RDWR | O_CLOEXEC);
	if (session < 0) {
		if (errno == ENOENT || errno == ENXIO)
			return err_set(err, "the module " RECORD_SKB_MODULE
					    " is loaded, but " RECORD_SKB_DEVICE
					    " does not exist: is devtmpfs mounted on /dev?");
		return err_set(err, "cannot open " RECORD_SKB_DEVICE ": %s", strerror(errno));
	}
	memset(&info, 0, sizeof(info));
	/*
	 * If the module has another version, the structure of this ioctl can have another size. The number of
	 * the ioctl contains the size, so it fails with ENOTTY. check_abi() then reports the version.
	 */
	if (ioctl(session, RECORD_SKB_GET_INFO, &info) && errno != ENOTTY)
		err_set(err, "cannot talk to " RECORD_SKB_DEVICE ": %s", strerror(errno));
	else if (!check_abi(&info, err) && !claim_module(session, recording, err))
		return session;
	close(session);
	return -1;
}

bool session_slot0_taken(int session)
{
	unsigned int slot0;

	return ioctl(session, RECORD_SKB_GET_SLOT0, &slot0) || slot0 != RECORD_SKB_SLOT0_FREE;
}

bool session_slot0_is_fprobe(int session)
{
	unsigned int slot0;

	return !ioctl(session, RECORD_SKB_GET_SLOT0, &slot0) && slot0 == RECORD_SKB_SLOT0_FPROBE;
}

bool session_is_beside(int session)
{
	struct record_skb_info info = {};

	return !ioctl(session, RECORD_SKB_GET_INFO, &info) && info.shared > 1;
}

static struct record_skb_filter programs_of(const struct packet_filter *filter)
{
	return (struct record_skb_filter){
		.raw = (uintptr_t)filter->raw.insns,
		.raw_len = filter->raw.len,
		.ll = (uintptr_t)filter->ll.insns,
		.ll_len = filter->ll.len,
		.at_data = (uintptr_t)filter->at_data.insns,
		.at_data_len = filter->at_data.len,
	};
}

int session_set_filter(int session, const struct packet_filter *filter, const struct terms *terms,
		       const struct packet_filter *inner, struct err *err)
{
	struct record_skb_filter set = programs_of(filter);

	set.terms = (uintptr_t)terms->v;
	set.nr_terms = terms->n;
	set.inner = programs_of(inner).at_data;
	set.inner_len = programs_of(inner).at_data_len;
	if (!ioctl(session, RECORD_SKB_SET_FILTER, &set))
		return 0;
	if (errno == EINVAL)
		return err_set(err, "the kernel rejects the BPF program of the filter (--dry-run "
				    "shows it)");
	return err_set(err, "cannot set the filter: %s", strerror(errno));
}

int session_set_options(int session, const struct record_skb_options *options, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_SET_OPTIONS, options))
		return 0;
	return err_set(err, "cannot set the options: %s", strerror(errno));
}

/*
 * The kernel does not know one of the drop reasons in @ring. To find out which one, set each reason alone.
 * Set @err to a message with this reason. Returns -1.
 */
static int unknown_reason(int session, const struct record_skb_ring *ring, struct err *err)
{
	struct record_skb_ring one = { .on = 1U << RECORD_SKB_BY_DROP, .nr_reasons = 1 };

	for (__u32 i = 0; i < ring->nr_reasons; i++) {
		memcpy(one.reasons[0], ring->reasons[i], sizeof(one.reasons[0]));
		if (ioctl(session, RECORD_SKB_SET_RING, &one))
			return err_set(err,
				       "this kernel has no drop reason '%s'; its reasons are in "
				       "/sys/kernel/tracing/events/skb/kfree_skb/format",
				       ring->reasons[i]);
	}
	return err_set(err, "cannot set the ring: %s", strerror(ENOENT));
}

int session_set_ring(int session, const struct record_skb_ring *ring,
		     const struct packet_filter *match, struct err *err)
{
	struct record_skb_ring set = *ring;

	set.match = programs_of(match);
	if (!ioctl(session, RECORD_SKB_SET_RING, &set))
		return 0;
	if (errno == ENOENT)
		return unknown_reason(session, ring, err);
	return err_set(err, "cannot set the ring: %s", strerror(errno));
}

int session_add_point(int session, const struct record_skb_point *point)
{
	return ioctl(session, RECORD_SKB_ADD_POINT, point) ? -errno : 0;
}

int session_function(int session, struct record_skb_function *function)
{
	return ioctl(session, RECORD_SKB_GET_FUNCTION, function) ? -errno : 0;
}

int session_set_addresses(int session, const struct record_skb_addresses *addresses)
{
	return ioctl(session, RECORD_SKB_SET_ADDRESSES, addresses) ? -errno : 0;
}

int session_set_graph(int session, const struct record_skb_graph *graph)
{
	return ioctl(session, RECORD_SKB_SET_GRAPH, graph) ? -errno : 0;
}

int session_follow(int session, pid_t pid, struct err *err)
{
	const struct record_skb_follow follow = { .pid = pid };

	if (!ioctl(session, RECORD_SKB_FOLLOW, &follow))
		return 0;
	if (errno == ENOSPC)
		return err_set(err, "cannot follow %d: it has too many tasks", (int)pid);
	return err_set(err, "cannot follow %d: %s", (int)pid, strerror(errno));
}

int session_arm(int session, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_ARM))
		return 0;
	if (errno == EBUSY)
		return err_set(err, "a live patch redirects one of the probe points (see "
				    "/sys/kernel/livepatch), or ftrace is switched off (sysctl "
				    "kernel.ftrace_enabled)");
	return err_set(err, "cannot arm the module: %s", strerror(errno));
}

int session_disarm(int session, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_DISARM))
		return 0;
	return err_set(err, "cannot disarm the module: %s", strerror(errno));
}

int session_stats(int session, struct record_skb_stats *stats, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_GET_STATS, stats))
		return 0;
	return err_set(err, "cannot read the module's counters: %s", strerror(errno));
}

int session_symbol(int session, unsigned long long address, char *text)
{
	struct record_skb_symbol symbol = { .address = address };

	if (ioctl(session, RECORD_SKB_GET_SYMBOL, &symbol))
		return -1;
	memcpy(text, symbol.text, RECORD_SKB_SYMBOL_LEN);
	return 0;
}

int session_set_restore(int session, const struct record_skb_restore *restore)
{
	return ioctl(session, RECORD_SKB_SET_RESTORE, restore) ? -errno : 0;
}

int session_add_process(int session, pid_t pid, int signal)
{
	const struct record_skb_process process = { .pid = pid, .signal = signal };

	return ioctl(session, RECORD_SKB_ADD_PROCESS, &process) ? -errno : 0;
}

int session_get_netns(int session, struct record_skb_netns *netns)
{
	return ioctl(session, RECORD_SKB_GET_NETNS, netns) ? -errno : 0;
}

int session_name_netns(int session, const struct record_skb_netns *netns)
{
	return ioctl(session, RECORD_SKB_NAME_NETNS, netns) ? -errno : 0;
}

static unsigned int flags_of(int session)
{
	struct record_skb_info info = {};

	return ioctl(session, RECORD_SKB_GET_INFO, &info) ? 0 : info.flags;
}

bool session_graph_race(int session)
{
	return flags_of(session) & RECORD_SKB_INFO_GRAPH_RACE;
}

bool session_graph_takes_calls(int session)
{
	return flags_of(session) & RECORD_SKB_INFO_TAKES_CALLS;
}

bool session_is_restoring(void)
{
	const int session = open(RECORD_SKB_DEVICE, O_RDWR | O_CLOEXEC);
	const bool is = session >= 0 && flags_of(session) & RECORD_SKB_INFO_RESTORING;

	if (session >= 0)
		close(session);
	return is;
}

/*
 * Size of the memory for the texts in lists of settings to be restored. The module reads the texts there when
 * it restores the settings.
 */
#define MEMORY_BYTES (64 << 10)

static void add_setting(struct restore_list *list, int fd, const char *text, size_t length,
			unsigned int flags)
{
	list->v = xrealloc(list->v, (list->n + 1) * sizeof(*list->v));
	list->v[list->n++] = (struct record_skb_setting){
		.fd = fd,
		.flags = flags,
		.text = (uintptr_t)xstrdup(text),
		.length = length,
	};
}

static void add_open(struct restore_list *list, int fd, const char *text, unsigned int flags)
{
	if (fd >= 0)
		add_setting(list, fd, text, strlen(text), flags);
}

void restore_list_add(struct restore_list *list, const char *file, const char *text,
		      unsigned int flags)
{
	char *path = tracefs_get_tracing_file(file);

	add_open(list, open(path, O_PATH | O_CLOEXEC), text, flags);
	tracefs_put_tracing_file(path);
}

void restore_list_add_at(struct restore_list *list, int dir, const char *file, const char *text,
			 unsigned int flags)
{
	add_open(list, openat(dir, file, O_PATH | O_CLOEXEC), text, flags);
}

void restore_list_add_instance(struct restore_list *list, const char *name)
{
	add_setting(list, -1, name, strlen(name) + 1, RECORD_SKB_SETTING_INSTANCE);
}

/*
 * Return the memory for the texts in all lists of settings, or NULL. This is shared memory: when the OOM
 * killer kills this process, it frees private memory before the module can restore the settings.
 */
static void *shared_memory(void)
{
	static void *memory = MAP_FAILED;

	if (memory == MAP_FAILED)
		memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static void free_list(struct restore_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].fd >= 0)
			close(list->v[i].fd);
		free((void *)(uintptr_t)list->v[i].text);
	}
	free(list->v);
	*list = (struct restore_list){};
}

int restore_list_set(struct restore_list *list, int session, bool shared, struct err *err)
{
	void *const memory = shared_memory();
	const struct record_skb_restore restore = {
		.settings = (uintptr_t)list->v,
		.nr_settings = list->n,
		.memory = (uintptr_t)memory,
		.memory_size = MEMORY_BYTES,
		.flags = shared ? RECORD_SKB_RESTORE_SHARED : 0,
	};
	const int ret = memory ? session_set_restore(session, &restore) : -ENOMEM;

	free_list(list);
	return ret ? err_set(err,
			     "cannot prepare to restore tracing if the recording is killed: "
			     "%s",
			     strerror(-ret)) :
		     0;
}

void restore_list_forget(int session, bool shared)
{
	const struct record_skb_restore none = {
		.flags = shared ? RECORD_SKB_RESTORE_SHARED : 0,
	};

	session_set_restore(session, &none);
}
