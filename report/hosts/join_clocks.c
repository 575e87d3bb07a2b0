// SPDX-License-Identifier: GPL-2.0
/* join_clocks.c - estimate the clocks of all hosts from the packets that only one other host can have sent */
#include <stdlib.h>
#include <string.h>

#include "hosts/join.h"

/*
 * Maximum error of trace-cmd's time synchronization. If packets contradict the synchronization by more, it is
 * not used. The real error is usually a few microseconds.
 */
#define SYNC_ERROR_NS 1000000

/*
 * Bounds for the difference between the clocks of two hosts. Bounds from packets with a weak key (struct
 * wire_key) are used only if there are no other bounds for the same direction.
 */
struct pair {
	struct bounds least, most;
	struct bounds weak_least, weak_most;
	bool is_known, is_synced;
	struct clock_line line; /* converts the second host's clock to the first host's */
};

static struct pair *pair_of(struct pair *pairs, const struct join *join, unsigned int a,
			    unsigned int b)
{
	return &pairs[a * join->nr_hosts + b];
}

/*
 * Add a packet as a bound for the difference of the clocks: it arrived (@came) after it left (@left). Compare
 * the first arrival with the last departure of the copy. So the bound is right even if the sightings are of
 * the packet inside of a tunnel.
 */
static bool add_bound(struct pair *pairs, const struct join *join, const struct sighting *left,
		      const struct sighting *came)
{
	const bool forth = left->host < came->host;
	const struct sighting *first = forth ? left : came, *second = forth ? came : left;
	struct pair *pair = pair_of(pairs, join, first->host, second->host);
	const bool is_weak = left->key.is_weak;
	struct bounds *bounds = forth ? (is_weak ? &pair->weak_least : &pair->least) :
					(is_weak ? &pair->weak_most : &pair->most);

	return bounds_add(bounds, second->edge, (int64_t)(first->edge - second->edge));
}

static bool add_group(struct pair *pairs, const struct join *join, const size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct sighting *left = join->all[order[i]];

		for (size_t j = 0; left->leaves && j < n; j++) {
			const struct sighting *came = join->all[order[j]];

			if (!came->leaves && came->host != left->host &&
			    !add_bound(pairs, join, left, came))
				return false;
		}
	}
	return true;
}

static void estimate(const struct join *join, struct pair *pair, unsigned int second)
{
	const struct join_host *host = &join->hosts[second];

	pair->is_known = clock_estimate(pair->least.n ? &pair->least : &pair->weak_least,
					pair->most.n ? &pair->most : &pair->weak_most,
					host->sightings->begin, host->end, &pair->line);
}

/*
 * If trace-cmd has synchronized the clocks of the two hosts, treat the clocks as equal, unless the estimate
 * contradicts this. Add the distance between both clocks in the estimate to the error.
 */
static void prefer_sync(struct join *join, struct pair *pair, unsigned int first,
			unsigned int second)
{
	struct join_host *a = &join->hosts[first], *b = &join->hosts[second];
	struct join_host *synced = b->sync == first + 1 ? b : a->sync == second + 1 ? a : NULL;
	uint64_t at[2] = { b->sightings->begin, b->end }, away = 0;

	if (!synced || !pair->is_known)
		return;
	for (int i = 0; i < 2; i++) {
		const int64_t ns = (int64_t)(clock_convert(&pair->line, at[i]) - at[i]);

		if ((uint64_t)llabs(ns) > away)
			away = llabs(ns);
	}
	synced->sync_is_wrong = away > pair->line.error;
	if (synced->sync_is_wrong)
		return;
	pair->is_synced = true;
	pair->line = (struct clock_line){ .from = at[0], .error = away + pair->line.error };
}

static struct clock_line reverse(const struct join *join, const struct clock_line *line,
				 unsigned int first)
{
	const double drift = 1 / (1 + line->drift) - 1;
	const uint64_t there = line->from + line->ns, from = join->hosts[first].sightings->begin;
	const struct clock_line at_there = { .from = there, .ns = -line->ns, .drift = drift };

	return (struct clock_line){
		.from = from,
		.ns = (int64_t)(clock_convert(&at_there, from) - from),
		.drift = drift,
		.error = line->error,
	};
}

static struct pair *pair_between(struct pair *pairs, const struct join *join, unsigned int a,
				 unsigned int b)
{
	return a < b ? pair_of(pairs, join, a, b) : pair_of(pairs, join, b, a);
}

/*
 * Set @line to the line that converts times of the host @to to the clock of the host @from. Return: false if
 * the pair of hosts has no estimate.
 */
static bool line_between(struct pair *pairs, const struct join *join, unsigned int from,
			 unsigned int to, struct clock_line *line)
{
	const struct pair *pair = pair_between(pairs, join, from, to);

	if (!pair->is_known)
		return false;
	*line = from < to ? pair->line : reverse(join, &pair->line, to);
	return true;
}

/*
 * A host can be connected over the host @a or over @best_over. Return: true if @a is better. A known error is
 * better than an unknown one, and a smaller error is better.
 */
static bool is_better(const struct join *join, unsigned int a, const struct clock_line *line,
		      unsigned int best_over, const struct clock_line *best)
{
	const bool is_known = join->hosts[a].error_is_known;

	if (best_over == join->nr_hosts || is_known != join->hosts[best_over].error_is_known)
		return best_over == join->nr_hosts || is_known;
	return line->error < best->error;
}

/*
 * Connect a host with an unknown clock to a host with a known clock: choose the two hosts that give the
 * smallest error. If @synced is true, use only pairs of synchronized hosts. Return: false if no host can be
 * connected.
 */
static bool connect_host(struct join *join, struct pair *pairs, bool *known, bool synced)
{
	unsigned int best_host = join->nr_hosts, over = join->nr_hosts;
	struct clock_line best = { 0 }, line;

	for (unsigned int a = 0; a < join->nr_hosts; a++) {
		for (unsigned int b = 0; known[a] && b < join->nr_hosts; b++) {
			if (known[b] || !line_between(pairs, join, a, b, &line) ||
			    (synced && !pair_between(pairs, join, a, b)->is_synced))
				continue;
			line = clock_combine(&line, &join->hosts[a].clock);
			if (!is_better(join, a, &line, over, &best))
				continue;
			best = line;
			best_host = b;
			over = a;
		}
	}
	if (best_host == join->nr_hosts)
		return false;
	known[best_host] = true;
	join->hosts[best_host].clock = best;
	join->hosts[best_host].error_is_known = join->hosts[over].error_is_known;
	join->hosts[best_host].source =
		synced && join->hosts[over].source != CLOCK_PACKETS ? CLOCK_SYNC : CLOCK_PACKETS;
	return true;
}

static void connect_hosts(struct join *join, struct pair *pairs, bool *known)
{
	while (connect_host(join, pairs, known, true) || connect_host(join, pairs, known, false))
		continue;
}

/*
 * Return: @ns, changed so that it satisfies all bounds. @ns is an offset for the clock of a host, and the
 * bounds are from packets between this host and another one. If @sign is 1, the bounds are minimums for @ns.
 * If @sign is -1, they are maximums. @other converts the clock of the other host. @other_is_first: the other
 * host is the first host of the pair.
 */
static int64_t limit(const struct bounds *bounds, const struct clock_line *other,
		     bool other_is_first, int sign, int64_t ns)
{
	for (size_t i = 0; i < bounds->n; i++) {
		const uint64_t second = bounds->v[i].ts, first = second + bounds->v[i].ns;
		const uint64_t there = clock_convert(other, other_is_first ? first : second);
		const int64_t bound = (int64_t)(there - (other_is_first ? second : first));

		if (sign * (bound - ns) > 0)
			ns = bound;
	}
	return ns;
}

/*
 * Return: the offset @ns for the clock of a host, changed so that it satisfies the bounds from packets
 * between this host and all hosts with a known clock.
 */
static int64_t limit_all(const struct join *join, struct pair *pairs, const bool *known,
			 unsigned int host, int64_t ns)
{
	for (unsigned int a = 0; a < join->nr_hosts; a++) {
		const bool first = a < host;
		const struct pair *pair = first ? pair_of(pairs, join, a, host) :
						  pair_of(pairs, join, host, a);
		const struct bounds *least = pair->least.n ? &pair->least : &pair->weak_least;
		const struct bounds *most = pair->most.n ? &pair->most : &pair->weak_most;
		const struct clock_line *clock = &join->hosts[a].clock;

		if (a == host || !known[a])
			continue;
		ns = limit(first ? least : most, clock, first, 1, ns);
		ns = limit(first ? most : least, clock, first, -1, ns);
	}
	return ns;
}

/*
 * Use trace-cmd's time synchronization for a host that has packets in one direction only. If these packets
 * contradict it by at most SYNC_ERROR_NS, correct it. If they contradict it by more, do not use it. Return:
 * true if the synchronization is used.
 */
static bool use_sync(struct join *join, struct pair *pairs, const bool *known, unsigned int host)
{
	struct join_host *own = &join->hosts[host];
	struct clock_line line = { .from = own->sightings->begin };
	int64_t ns;

	for (unsigned int a = 0; a < join->nr_hosts; a++) {
		if (!known[a] || (own->sync != a + 1 && join->hosts[a].sync != host + 1))
			continue;
		line = clock_combine(&line, &join->hosts[a].clock);
		ns = limit_all(join, pairs, known, host, line.ns);
		if (llabs(ns - line.ns) > SYNC_ERROR_NS) {
			own->sync_is_wrong = true;
			return false;
		}
		line.ns = ns;
		own->source = join->hosts[a].source == CLOCK_WALL ? CLOCK_WALL : CLOCK_SYNC_ONLY;
		own->clock = line;
		return true;
	}
	return false;
}

/*
 * Align a host's clock by the time of day, because it has packets in one direction only, or none. Packets in
 * one direction still limit the offset, because they arrive after they were sent.
 */
static void use_wall_clock(struct join *join, struct pair *pairs, const bool *known,
			   unsigned int host)
{
	const struct sightings *reference = join->hosts[join->reference].sightings;
	const struct sightings *own = join->hosts[host].sightings;
	int64_t ns = 0;

	if (own->wall_ts && reference->wall_ts)
		ns = (int64_t)(own->wall - own->wall_ts) -
		     (int64_t)(reference->wall - reference->wall_ts);
	ns = limit_all(join, pairs, known, host, ns);
	join->hosts[host].source = CLOCK_WALL;
	join->hosts[host].clock = (struct clock_line){ .from = own->begin, .ns = ns };
}

static bool collect_bounds(struct join *join, const size_t *order, struct pair *pairs)
{
	bool is_clear;
	size_t n;

	for (size_t i = 0; i < join->n; i += n) {
		n = join_group(join, order + i, join->n - i, &is_clear);
		if (is_clear && !add_group(pairs, join, order + i, n))
			return false;
	}
	return true;
}

static void free_pairs(struct pair *pairs, unsigned int n)
{
	for (unsigned int i = 0; pairs && i < n * n; i++) {
		free(pairs[i].least.v);
		free(pairs[i].most.v);
		free(pairs[i].weak_least.v);
		free(pairs[i].weak_most.v);
	}
	free(pairs);
}

bool join_estimate_clocks(struct join *join, const size_t *order)
{
	struct pair *pairs = calloc(join->nr_hosts * join->nr_hosts, sizeof(*pairs));
	bool *known = calloc(join->nr_hosts, sizeof(*known));
	bool ok = pairs && known && collect_bounds(join, order, pairs);

	if (!ok)
		goto out;
	for (unsigned int a = 0; a < join->nr_hosts; a++) {
		for (unsigned int b = a + 1; b < join->nr_hosts; b++) {
			estimate(join, pair_of(pairs, join, a, b), b);
			prefer_sync(join, pair_of(pairs, join, a, b), a, b);
		}
	}
	join->hosts[join->reference].source = CLOCK_REFERENCE;
	join->hosts[join->reference].clock = (struct clock_line){ 0 };
	join->hosts[join->reference].error_is_known = true;
	known[join->reference] = true;
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		struct join_host *host = &join->hosts[i];

		if (!host->has_offset || known[i])
			continue;
		known[i] = true;
		host->source = CLOCK_GIVEN;
		host->clock =
			(struct clock_line){ .from = host->sightings->begin, .ns = host->offset };
	}
	connect_hosts(join, pairs, known);
	for (unsigned int i = 0; i < join->nr_hosts; i++) {
		if (!known[i] && !use_sync(join, pairs, known, i))
			use_wall_clock(join, pairs, known, i);
		known[i] = true;
	}
out:
	free_pairs(pairs, join->nr_hosts);
	free(known);
	return ok;
}
