// SPDX-License-Identifier: GPL-2.0
/* The module's file, which makes its holder the recorder of this machine. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "session.h"

static int check_abi(const struct record_skb_info *info, struct err *err)
{
	if (info->abi == RECORD_SKB_ABI)
		return 0;
	return err_set(err,
		       "the loaded module " RECORD_SKB_MODULE
		       " is of another version (it speaks ABI "
		       "%u, this program %u): unload it with 'modprobe -r " RECORD_SKB_MODULE
		       "', and install both from the same sources",
		       info->abi, RECORD_SKB_ABI);
}

/* A session that has not claimed learns by that whether this kernel lets several share a recording. */
static bool can_be_shared(int session)
{
	struct record_skb_share share = {};

	return !ioctl(session, RECORD_SKB_CLAIM_SHARED, &share) || errno == EBUSY;
}

static int say_holder(int session, const struct record_skb_info *info, struct err *err)
{
	const char *hint = "only one can at a time";

	if (info->shared == RECORD_SKB_MAX_SHARED)
		hint = "so do three others, and there is no room for more";
	else if (info->shared)
		hint = "with --shared: others can at the same time if they say --shared as well";
	else if (can_be_shared(session))
		hint = "only one can at a time, unless each says --shared";
	return err_set(err, "%.*s (pid %d) is recording packets: %s", RECORD_SKB_COMM_LEN,
		       info->holder_comm, info->holder_pid, hint);
}

static int not_claimed(int session, int error, struct err *err)
{
	struct record_skb_info info;

	if (error == EOPNOTSUPP)
		return err_set(err,
			       "--shared: on this kernel only one can record at a time, for its "
			       "function_graph has no instances (Linux 6.11 has them)");
	if (error != EBUSY)
		return err_set(err, "cannot become the recorder: %s", strerror(error));
	if (ioctl(session, RECORD_SKB_GET_INFO, &info) || !info.holder_pid)
		return err_set(err, "somebody else was recording packets this moment: try again");
	return say_holder(session, &info, err);
}

static int claim(int session, unsigned int *recording, struct err *err)
{
	struct record_skb_share share = {};

	if (recording ? ioctl(session, RECORD_SKB_CLAIM_SHARED, &share) :
			ioctl(session, RECORD_SKB_CLAIM))
		return not_claimed(session, errno, err);
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
		ret = say_holder(session, &info, err);
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
					    " is not there: is devtmpfs mounted on /dev?");
		return err_set(err, "cannot open " RECORD_SKB_DEVICE ": %s", strerror(errno));
	}
	memset(&info, 0, sizeof(info));
	/* Of another version the number itself may differ, for the structure's size is in it. */
	if (ioctl(session, RECORD_SKB_GET_INFO, &info) && errno != ENOTTY)
		err_set(err, "cannot talk to " RECORD_SKB_DEVICE ": %s", strerror(errno));
	else if (!check_abi(&info, err) && !claim(session, recording, err))
		return session;
	close(session);
	return -1;
}

bool session_graph_first(int session)
{
	struct record_skb_info info = {};

	return ioctl(session, RECORD_SKB_GET_INFO, &info) || info.graph_first;
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
		       struct err *err)
{
	struct record_skb_filter set = programs_of(filter);

	set.terms = (uintptr_t)terms->v;
	set.nr_terms = terms->n;
	if (!ioctl(session, RECORD_SKB_SET_FILTER, &set))
		return 0;
	if (errno == EINVAL)
		return err_set(err, "the kernel refuses the filter's program (see --dry-run)");
	return err_set(err, "cannot set the filter: %s", strerror(errno));
}

int session_set_options(int session, const struct record_skb_options *options, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_SET_OPTIONS, options))
		return 0;
	return err_set(err, "cannot set the options: %s", strerror(errno));
}

/* One by one, to tell which it is. */
static int unknown_reason(int session, const struct record_skb_ring *ring, struct err *err)
{
	struct record_skb_ring one = { .on = 1U << RECORD_SKB_BY_DROP, .nr_reasons = 1 };

	for (__u32 i = 0; i < ring->nr_reasons; i++) {
		memcpy(one.reasons[0], ring->reasons[i], sizeof(one.reasons[0]));
		if (ioctl(session, RECORD_SKB_SET_RING, &one))
			return err_set(err,
				       "this kernel has no drop reason '%s': those it has are in "
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
	if (errno == ESRCH)
		return err_set(err, "there is no process %d to follow", (int)pid);
	if (errno == ENOSPC)
		return err_set(err, "cannot follow %d: it has too many tasks", (int)pid);
	return err_set(err, "cannot follow %d: %s", (int)pid, strerror(errno));
}

int session_arm(int session, struct err *err)
{
	if (!ioctl(session, RECORD_SKB_ARM))
		return 0;
	if (errno == EBUSY)
		return err_set(err, "one of the probe points is held by a live patch (see "
				    "/sys/kernel/livepatch), or ftrace is switched off "
				    "(sysctl kernel.ftrace_enabled)");
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

void session_large_reads(int fd, unsigned int bytes)
{
	const struct record_skb_large_reads reads = { .fd = fd, .bytes = bytes };
	const int session = open(RECORD_SKB_DEVICE, O_RDWR | O_CLOEXEC);

	if (session < 0)
		return;
	ioctl(session, RECORD_SKB_LARGE_READS, &reads);
	close(session);
}
