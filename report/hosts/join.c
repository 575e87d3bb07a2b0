// SPDX-License-Identifier: GPL-2.0
/* join.c - find the packets that several hosts have recorded */
#include <stdlib.h>
#include <string.h>

#include "hosts/join.h"
#include "hosts/translations.h"

/* Maximum number of sightings in a group with equal keys. Larger groups are not joined. */
#define MAX_GROUP 512

/* The recordings, for the comparison functions of qsort(), which get no context argument. */
static const struct join *sorted_join;

uint64_t join_time(const struct join *join, const struct sighting *sighting)
{
	return clock_convert(&join->hosts[sighting->host].clock, sighting->ts);
}

int join_compare_keys(const struct wire_key *a, const struct wire_key *b)
{
	return (a->whole > b->whole) - (a->whole < b->whole);
}

static int by_key(const void *a, const void *b)
{
	const struct sighting *x = sorted_join->all[*(const size_t *)a];
	const struct sighting *y = sorted_join->all[*(const size_t *)b];

	return join_compare_keys(&x->key, &y->key)		 ?:
		       (x->host > y->host) - (x->host < y->host) ?:
								   (x->ts > y->ts) - (x->ts < y->ts);
}

static int by_join_time(const void *a, const void *b)
{
	const uint64_t x = join_time(sorted_join, sorted_join->all[*(const size_t *)a]);
	const uint64_t y = join_time(sorted_join, sorted_join->all[*(const size_t *)b]);

	return (x > y) - (x < y);
}

/* Groups of sightings with equal keys */

/*
 * struct group - facts about a group of sightings with equal keys
 * @origins: number of packets that began at a host of the group: they left this host, but they did not arrive
 *	at it
 * @hosts: number of hosts in the group
 * @several: a host has several packets in the group
 * @differs: checksums or recorded bytes prove that the payloads differ
 */
struct group {
	unsigned int origins, hosts;
	bool several, differs;
};

static bool is_same_packet(const struct sighting *a, const struct sighting *b)
{
	return a->host == b->host && a->pkt == b->pkt;
}

/* Return: true if the group has an earlier sighting of the same packet at the same host. */
static bool was_before(const struct join *join, const size_t *order, size_t i)
{
	for (size_t j = i; j-- > 0;) {
		if (is_same_packet(join->all[order[i]], join->all[order[j]]))
			return true;
	}
	return false;
}

static bool has_arrived(const struct join *join, const size_t *order, size_t n,
			const struct sighting *packet)
{
	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = join->all[order[i]];

		if (!sighting->leaves && is_same_packet(sighting, packet))
			return true;
	}
	return false;
}

static struct group examine(const struct join *join, const size_t *order, size_t n)
{
	struct group group = { 0 };
	int host = -1;

	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = join->all[order[i]];

		for (size_t j = 0; j < i && !group.differs; j++)
			group.differs = wire_key_differs(&sighting->key, &join->all[order[j]]->key);
		if (was_before(join, order, i))
			continue;
		group.several |= host == sighting->host;
		group.hosts += host != sighting->host;
		host = sighting->host;
		group.origins += !has_arrived(join, order, n, sighting);
	}
	return group;
}

static size_t group_size(const struct join *join, const size_t *order, size_t left)
{
	size_t n = 1;

	while (n < left && !join_compare_keys(&join->all[order[0]]->key, &join->all[order[n]]->key))
		n++;
	return n;
}

size_t join_group(const struct join *join, const size_t *order, size_t left, bool *is_clear)
{
	const size_t n = group_size(join, order, left);
	struct group group;

	*is_clear = false;
	if (n > 1 && n <= MAX_GROUP) {
		group = examine(join, order, n);
		*is_clear = group.hosts > 1 && !group.several && !group.differs &&
			    group.origins == 1;
	}
	return n;
}

/* Find the departure that belongs to an arrival */

/*
 * Return: true if the host may have lost rows between two times. Then the recording may lack another packet
 * with the same key.
 */
static bool may_lack_rows(const struct join *join, unsigned int host, uint64_t from, uint64_t to)
{
	const struct lost_events *losses = &join->hosts[host].sightings->losses;
	const struct clock_line *clock = &join->hosts[host].clock;

	for (size_t i = 0; i < losses->n; i++) {
		if (clock_convert(clock, losses->v[i].from) <= to &&
		    clock_convert(clock, losses->v[i].to) >= from)
			return true;
	}
	return false;
}

/* The departures from one host in a group, or the arrivals at another host, in the order of their times. */
struct side {
	size_t v[MAX_GROUP];
	size_t n;
};

/*
 * Return: true if the packet left after it arrived, by more than the known errors of both clocks. An unknown
 * error counts as 0.
 */
static bool is_too_late(const struct join *join, const struct sighting *left,
			const struct sighting *came)
{
	const struct join_host *a = &join->hosts[left->host], *b = &join->hosts[came->host];

	return join_time(join, left) > join_time(join, came) + a->clock.error + b->clock.error;
}

/*
 * Find the host that sent the packet last before the arrival @came. If there is none, find the first host
 * that may have sent it before the arrival, because the clocks are not exact. Return: the host; -1 if no host
 * can have sent the packet.
 */
static int last_sender(const struct join *join, const size_t *order, size_t n,
		       const struct sighting *came)
{
	const uint64_t time = join_time(join, came);
	int host = -1;

	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = join->all[order[i]];

		if (!sighting->leaves || sighting->host == came->host)
			continue;
		if (join_time(join, sighting) <= time ||
		    (host < 0 && !is_too_late(join, sighting, came)))
			host = sighting->host;
	}
	return host;
}

/*
 * Collect the departures or the arrivals of a host. If a packet left the host several times, keep its last
 * departure: inside the host, a packet can pass a tunnel or a bridge. Return: false if several copies of a
 * packet left the host. Then the copy that arrived at the other host is not known.
 */
static bool collect_side(const struct join *join, const size_t *order, size_t n, unsigned int host,
			 bool leaves, struct side *side)
{
	side->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = join->all[order[i]], *before;
		size_t j = 0;

		if (sighting->host != host || sighting->leaves != leaves)
			continue;
		while (j < side->n && join->all[side->v[j]]->pkt != sighting->pkt)
			j++;
		if (j == side->n) {
			side->v[side->n++] = order[i];
			continue;
		}
		before = join->all[side->v[j]];
		if (leaves && before->copy != sighting->copy)
			return false;
		if (leaves)
			side->v[j] = order[i];
	}
	return true;
}

static void set_unclear(struct join *join, const size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sighting *sighting = join->all[order[i]];

		sighting->is_unclear = true;
		join->counts.unclear += !sighting->leaves && sighting->from < 0;
	}
}

/* Join the arrivals of a group at one host. The sightings of the group are sorted by time. */
static void join_arrivals(struct join *join, const size_t *order, size_t n, unsigned int host)
{
	static struct side came, left;
	int sender;

	collect_side(join, order, n, host, false, &came);
	if (!came.n)
		return;
	sender = last_sender(join, order, n, join->all[came.v[0]]);
	if (sender < 0) {
		/*
		 * Either no other host has sent the packet, or the clocks say that it left after it arrived.
		 * Count the second case.
		 */
		for (size_t i = 0; i < n; i++) {
			if (join->all[order[i]]->leaves && join->all[order[i]]->host != host) {
				join->counts.clock += came.n;
				break;
			}
		}
		return;
	}
	if (!collect_side(join, order, n, sender, true, &left)) {
		set_unclear(join, came.v, came.n);
		return;
	}
	for (size_t i = 0; i < came.n; i++) {
		struct sighting *sighting = join->all[came.v[i]];
		size_t j = i < left.n ? i : left.n - 1;

		while (j && join_time(join, join->all[left.v[j]]) > join_time(join, sighting))
			j--;
		sighting->from = left.v[j];
		join->counts.joined++;
		join->counts.doubled += i >= left.n;
	}
}

static bool is_doubtful(const struct join *join, const size_t *order, size_t n)
{
	const struct sighting *first = join->all[order[0]], *last = join->all[order[n - 1]];

	if (!first->key.is_weak)
		return false;
	for (unsigned int host = 0; host < join->nr_hosts; host++) {
		if (may_lack_rows(join, host, join_time(join, first), join_time(join, last)))
			return true;
	}
	return false;
}

static void join_clear_group(struct join *join, size_t *order, size_t n)
{
	qsort(order, n, sizeof(*order), by_join_time);
	if (is_doubtful(join, order, n)) {
		set_unclear(join, order, n);
		return;
	}
	for (unsigned int host = 0; host < join->nr_hosts; host++)
		join_arrivals(join, order, n, host);
}

static void join_groups(struct join *join, size_t *order)
{
	struct group group;
	size_t n;

	for (size_t i = 0; i < join->n; i += n) {
		n = group_size(join, order + i, join->n - i);
		if (n < 2)
			continue;
		group = n <= MAX_GROUP ? examine(join, order + i, n) :
					 (struct group){ .hosts = 2, .differs = true };
		if (group.hosts < 2 || !group.origins)
			continue;
		/* A group with one origin has only one packet, even if the network duplicated this packet. */
		if (group.differs || group.origins > 1)
			set_unclear(join, order + i, n);
		else
			join_clear_group(join, order + i, n);
	}
}

/* Parts of TCP segments: a network card cuts a large segment, or merges segments */

static int by_parts(const void *a, const void *b)
{
	const struct sighting *x = sorted_join->all[*(const size_t *)a];
	const struct sighting *y = sorted_join->all[*(const size_t *)b];

	return (x->key.parts > y->key.parts) - (x->key.parts < y->key.parts) ?:
		       (x->ts > y->ts) - (x->ts < y->ts);
}

static bool overlap(const struct wire_key *a, const struct wire_key *b)
{
	return (int32_t)(a->seq - b->end) < 0 && (int32_t)(b->seq - a->end) < 0;
}

static bool is_same_range(const struct wire_key *a, const struct wire_key *b)
{
	return a->seq == b->seq && a->end == b->end;
}

static bool contains(const struct wire_key *large, const struct wire_key *part)
{
	return (int32_t)(part->seq - large->seq) >= 0 && (int32_t)(large->end - part->end) >= 0 &&
	       large->end - large->seq > part->end - part->seq;
}

/*
 * Return: true if the IPv4 identification permits that @part was cut from the packet of @large. A network
 * card increments the identification for each part.
 */
static bool id_fits(const struct wire_key *large, const struct wire_key *part)
{
	const uint16_t ahead = part->id - large->id;

	return part->seq == large->seq ? !ahead : ahead <= 64;
}

static void join_part(struct join *join, const size_t *order, size_t n, struct sighting *part)
{
	int64_t from = -1;
	bool differs = false, unclear = false;

	for (size_t i = 0; i < n; i++) {
		const struct sighting *large = join->all[order[i]];

		if (!large->leaves || large->host == part->host ||
		    !overlap(&large->key, &part->key) || is_same_range(&large->key, &part->key))
			continue;
		if (!contains(&large->key, &part->key) || !id_fits(&large->key, &part->key) ||
		    is_too_late(join, large, part)) {
			differs = true;
			continue;
		}
		/*
		 * A network card can cut a large packet into parts. Several large packets may contain this
		 * part. Two cases are clear. The large packets are copies of one packet, which a host sends
		 * through several devices. Or they are at several hosts and have the same bytes: then a
		 * router has forwarded the packet. In all other cases, the packet that was cut is not
		 * known.
		 */
		if (from >= 0 && !is_same_packet(join->all[from], large) &&
		    (join->all[from]->host == large->host ||
		     join->all[from]->key.seq != large->key.seq ||
		     join->all[from]->key.end != large->key.end))
			unclear = true;
		if (from < 0 || join_time(join, join->all[from]) < join_time(join, large))
			from = order[i];
	}
	if (unclear) {
		part->is_unclear = true;
		join->counts.unclear++;
	} else if (from >= 0) {
		part->from = from;
		part->is_part = true;
		join->counts.joined++;
		join->counts.parts++;
	} else if (differs) {
		part->is_unclear = true;
		join->counts.differ++;
	}
}

static void join_parts(struct join *join, size_t *order)
{
	size_t tcp = 0, n;

	for (size_t i = 0; i < join->n; i++) {
		if (join->all[i]->key.is_tcp && join->all[i]->key.end != join->all[i]->key.seq)
			order[tcp++] = i;
	}
	qsort(order, tcp, sizeof(*order), by_parts);
	for (size_t i = 0; i < tcp; i += n) {
		for (n = 1; i + n < tcp &&
			    join->all[order[i]]->key.parts == join->all[order[i + n]]->key.parts;)
			n++;
		for (size_t j = i; n <= MAX_GROUP && j < i + n; j++) {
			struct sighting *part = join->all[order[j]];

			if (!part->leaves && part->from < 0 && !part->is_unclear)
				join_part(join, order + i, n, part);
		}
	}
}

static int by_copy(const void *a, const void *b)
{
	const struct sighting *x = sorted_join->all[*(const size_t *)a];
	const struct sighting *y = sorted_join->all[*(const size_t *)b];

	return (x->host > y->host) - (x->host < y->host)	 ?:
		       (x->pkt > y->pkt) - (x->pkt < y->pkt)	 ?:
		       (x->copy > y->copy) - (x->copy < y->copy) ?:
								   (x->ts > y->ts) - (x->ts < y->ts);
}

static void find_edges(struct join *join, size_t *order)
{
	uint64_t last = 0, first = 0;
	size_t n;

	qsort(order, join->n, sizeof(*order), by_copy);
	for (size_t i = 0; i < join->n; i += n) {
		const struct sighting *copy = join->all[order[i]];

		for (n = 0; i + n < join->n; n++) {
			const struct sighting *sighting = join->all[order[i + n]];

			if (!is_same_packet(sighting, copy) || sighting->copy != copy->copy)
				break;
			if (sighting->leaves)
				last = sighting->ts;
			else if (!first)
				first = sighting->ts;
		}
		for (size_t j = i; j < i + n; j++)
			join->all[order[j]]->edge = join->all[order[j]]->leaves ? last : first;
		last = first = 0;
	}
}

static bool list_all(struct join *join)
{
	size_t n = 0;

	for (unsigned int i = 0; i < join->nr_hosts; i++)
		n += join->hosts[i].sightings->n;
	join->all = calloc(n ? n : 1, sizeof(*join->all));
	for (unsigned int i = 0; join->all && i < join->nr_hosts; i++) {
		for (size_t j = 0; j < join->hosts[i].sightings->n; j++)
			join->all[join->n++] = &join->hosts[i].sightings->v[j];
	}
	return join->all;
}

static void count_translated(struct join *join)
{
	for (size_t i = 0; i < join->n; i++) {
		const struct sighting *came = join->all[i];

		if (came->from >= 0)
			join->counts.translated += came->is_translated !=
						   join->all[came->from]->is_translated;
		else
			join->counts.alike += came->is_alike && !came->leaves && !came->is_unclear;
	}
}

bool join_find(struct join *join)
{
	size_t *order;
	bool ok = false;

	if (!list_all(join))
		return false;
	order = calloc(join->n ? join->n : 1, sizeof(*order));
	if (!order)
		return false;
	for (size_t i = 0; i < join->n; i++)
		order[i] = i;
	sorted_join = join;
	find_edges(join, order);
	if (!translations_find(join, order))
		goto out;
	qsort(order, join->n, sizeof(*order), by_key);
	if (join_estimate_clocks(join, order)) {
		join_groups(join, order);
		join_parts(join, order);
		count_translated(join);
		ok = true;
	}
out:
	free(order);
	return ok;
}

void join_free(struct join *join)
{
	free(join->all);
	join->all = NULL;
}
