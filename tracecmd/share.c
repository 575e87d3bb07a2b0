// SPDX-License-Identifier: GPL-2.0
/* --shared: what a recording among others has for itself, and what it does to what they have together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "first-place.h"
#include "graph-gates.h"
#include "instances.h"
#include "lock.h"
#include "module.h"
#include "record_skb.h"
#include "session.h"
#include "share.h"
#include "shared-state.h"
#include "view.h"

#define INSTANCE RECORD_SKB_MODULE
/* The instance that has function_graph's first place. */
#define HOLDER RECORD_SKB_MODULE "_first"

char *share_name(const char *what, unsigned int recording)
{
	return recording ? xasprintf("%s_%u", what, recording) : xstrdup(what);
}

static bool is_numbered(const char *function, const char *what)
{
	const size_t n = strlen(what);

	return !strncmp(function, what, n) && function[n] == '_';
}

bool share_is_others(const char *function, unsigned int recording)
{
	return (is_numbered(function, RECORD_SKB_GATE) || is_numbered(function, RECORD_SKB_HIDE)) &&
	       (!recording || strtoul(strrchr(function, '_') + 1, NULL, 10) != recording);
}

bool share_is_instance(const char *name)
{
	return is_numbered(name, INSTANCE);
}

int share_join(struct share *share, struct err *err)
{
	int session = -1, brief, ret = 0;
	struct err ignored;
	bool first, loaded;

	share->lock = lock_join(&share->instances, &brief, &first, err);
	if (share->lock < 0)
		return -1;
	if (!module_load(&loaded, err)) {
		if (first) {
			loaded |= shared_state_end();
			ret = shared_state_begin(loaded, err);
		}
		if (!ret)
			session = session_open(&share->recording, err);
		else if (loaded)
			module_unload(&ignored);
	}
	close(brief);
	return session;
}

static int make_instance(int instances, const char *name, struct err *err)
{
	/* There may be that of one who was killed, whose number we have now. */
	int ret = instance_remove(instances, name);

	if (!ret)
		ret = instance_make(instances, name);
	if (ret)
		return err_set(err, "cannot make the instance '%s' of tracing: %s", name,
			       strerror(-ret));
	/* What the top's has been set to is an instance's from its beginning. */
	instance_set(instances, name, "options/overwrite", "1");
	/* Not by trace-cmd, which would set it back for others as well where it is one for all. */
	instance_set(instances, name, "options/funcgraph-irqs", "0");
	return 0;
}

static int begin(const struct share *share, const char *instance, int session, struct err *err)
{
	char *holder = share_name(HOLDER, share->recording);
	char *gate = share_name(RECORD_SKB_GATE, share->recording);
	const int brief = lock_brief(share->instances, err);
	int ret = brief < 0 || make_instance(share->instances, instance, err) ||
				  graph_gates_add(share->recording, err) ||
				  first_place_take(share->instances, holder, gate, session, err) ?
			  -1 :
			  0;

	if (brief >= 0)
		close(brief);
	free(holder);
	free(gate);
	return ret;
}

int share_begin(const struct share *share, int session, struct err *err)
{
	char *instance = share_name(INSTANCE, share->recording);
	const int ret = begin(share, instance, session, err) || view_show(instance, err) ? -1 : 0;

	free(instance);
	return ret;
}

void share_settled(const struct share *share)
{
	char *holder;

	if (!share->recording)
		return;
	holder = share_name(HOLDER, share->recording);

	first_place_leave(share->instances, holder);
	free(holder);
}

static int give_back(const struct share *share, struct err *err)
{
	char *instance = share_name(INSTANCE, share->recording);
	const int ret = instance_remove(share->instances, instance);

	if (ret)
		err_set(err,
			"cannot remove the instance '%s' of tracing: %s; it goes as soon as nobody has "
			"a file of it open",
			instance, strerror(-ret));
	else
		graph_gates_remove(share->recording);
	free(instance);
	return ret;
}

int share_leave(struct share *share, const struct home *home, bool *unload, struct err *err)
{
	int brief, ret = 0;

	if (share->lock < 0)
		return 0;
	*unload = false;
	if (home_return(home))
		return err_set(err, "cannot leave the mount namespace of the recording: %s",
			       strerror(errno));
	brief = lock_brief(share->instances, err);
	if (brief < 0)
		return -1;
	share_settled(share);
	if (share->recording)
		ret = give_back(share, err);
	if (!ret && lock_is_last(share->lock))
		*unload = shared_state_end();
	close(brief);
	return ret;
}
