// SPDX-License-Identifier: GPL-2.0
/* loss_messages.c - print which entries a recording lacks, and which packet stopped the ring */
#include <limits.h>
#include <stdio.h>

#include "escape.h"
#include "loss_messages.h"
#include "model/packet_text.h"
#include "output/completeness.h"

void ring_end_print(const struct ring_end *end, const struct options *options)
{
	static const char *const did[] = {
		[RECORD_SKB_BY_DROP] = "was dropped",
		[RECORD_SKB_BY_SLOW] = "was there for too long",
		[RECORD_SKB_BY_MATCH] = "matched --until",
		[RECORD_SKB_BY_UNANSWERED] = "had no answer in time",
	};
	char word[SHELL_WORD_LEN(PATH_MAX)];

	if (!end->is || !end->by || end->by >= sizeof(did) / sizeof(did[0]))
		return;
	fprintf(stderr, "the ring ended by #%u", end->pkt);
	if (end->copy && end->copy != RECORD_SKB_COPY_UNKNOWN)
		fprintf(stderr, ".%u", end->copy);
	fprintf(stderr, ", which %s", did[end->by]);
	if (options->words)
		fprintf(stderr, ": trace-cmd report-skb %s --packet %u", options->words, end->pkt);
	else if (escape_shell(word, sizeof(word), options->input))
		fprintf(stderr, ": trace-cmd report-skb -i %s --packet %u", word, end->pkt);
	fputc('\n', stderr);
}

/*
 * Print one line for several losses of a CPU that follow each other. @places is the number of these losses.
 */
static void print_loss(const struct loss *loss, size_t places, bool counted)
{
	char from[TIME_LEN], to[TIME_LEN], host[ON_HOST_LEN];

	if (loss->cpu < 0) {
		fprintf(stderr,
			"lost before %s: entries that another reader has taken, not counted\n",
			words_time(to, loss->to));
		return;
	}
	fprintf(stderr, "lost on CPU %d%s ", hosts_cpu_of_cpu(loss->cpu),
		words_on_host_of_cpu(host, loss->cpu));
	/* The recording has no row of the CPU before the loss if @from is 0. */
	if (loss->from)
		fprintf(stderr, "between %s and ", words_time(from, loss->from));
	else
		fprintf(stderr, "before ");
	fprintf(stderr, "%s", words_time(to, loss->to));
	if (places > 1)
		fprintf(stderr, ", in %zu places", places);
	if (!loss->count)
		fprintf(stderr, ": entries, not counted\n");
	else
		fprintf(stderr, ": %s%llu %s\n", counted ? "" : "at least ",
			(unsigned long long)loss->count, loss->count == 1 ? "entry" : "entries");
}

/* Print all losses. A ring overwrites its oldest rows; these rows do not count as lost, so skip them. */
static void print_each_loss(const struct lost_events *losses, bool is_ring)
{
	struct loss sum = { 0 };
	bool counted = true;
	size_t places = 0;

	for (size_t i = 0; i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];

		if (is_ring && !loss->from)
			continue;
		if (places && (loss->cpu != sum.cpu || loss->cpu < 0)) {
			print_loss(&sum, places, counted);
			places = 0;
		}
		if (!places++) {
			sum = *loss;
			counted = loss->count;
			continue;
		}
		sum.to = loss->to;
		sum.count += loss->count;
		counted &= loss->count != 0;
	}
	if (places)
		print_loss(&sum, places, counted);
}

/*
 * Print how much of a ring was overwritten, if the recording is a ring. Overwritten rows do not count as
 * lost, because a ring keeps only the newest rows.
 *
 * Return: the number of elements in @losses that are about overwritten rows; 0 if the recording is not a
 * ring.
 */
static size_t print_written_over(const struct lost_events *losses, const struct ring_end *end)
{
	unsigned long long entries = 0;
	char from[TIME_LEN];
	uint64_t whole = 0;
	size_t n = 0;

	for (size_t i = 0; end->is && i < losses->n; i++) {
		if (losses->v[i].from)
			continue;
		n++;
		entries += losses->v[i].count;
		if (losses->v[i].to > whole)
			whole = losses->v[i].to;
	}
	if (n && words_are_in_ticks())
		fprintf(stderr, "a ring: it holds all from %s on; %llu older %s overwritten\n",
			words_time(from, whole), entries,
			entries == 1 ? "entry is" : "entries are");
	else if (n)
		fprintf(stderr,
			"a ring: it holds all from %s on, the last %.3f s; %llu older %s "
			"overwritten\n",
			words_time(from, whole), end->ts > whole ? (end->ts - whole) / 1e9 : 0,
			entries, entries == 1 ? "entry is" : "entries are");
	return n;
}

static void print_missing_calls(const struct lost_events *losses, unsigned long long incomplete)
{
	if (!losses->calls)
		return;
	fprintf(stderr,
		"incomplete: %llu function call%s not recorded, because function_graph's return stack was "
		"full; %llu packet%s marked with !; '--detail path' needs less of that stack\n",
		(unsigned long long)losses->calls, losses->calls == 1 ? " was" : "s were",
		incomplete, incomplete == 1 ? " is" : "s are");
}

bool losses_print(const struct packets *packets, const struct reader *reader)
{
	const struct ring_end *end = reader_ring_end(reader);
	const bool begins = reader_has_beginning(reader), stopped = reader_was_stopped(reader);
	const struct lost_events *losses = packets_losses(packets);
	const size_t written_over = print_written_over(losses, end);
	const unsigned long long incomplete = packets_incomplete(packets);
	const bool module_lost = module_losses_any(&losses->module);
	char time[TIME_LEN], text[MODULE_LOSSES_LEN];

	if (stopped)
		fprintf(stderr, "not read: what follows %s, because no later packet can be shown\n",
			words_time(time, reader_last(reader)));
	print_each_loss(losses, end->is);
	if (module_lost)
		fprintf(stderr, "incomplete: the module did not record everything: %s\n",
			words_module_losses(text, &losses->module));
	/*
	 * Report a missing beginning only if no other message has reported it: print_written_over() does so
	 * for a ring, and print_each_loss() if there are losses.
	 */
	if (!begins && !end->is && !losses->n) {
		fprintf(stderr,
			"incomplete: the beginning is not there, and the number of overwritten entries "
			"is not known; the first packets may have begun before\n");
		return true;
	}
	print_missing_calls(losses, incomplete);
	if (losses->n == written_over && !losses->calls && !module_lost)
		fprintf(stderr, "complete%s: no entries lost\n", stopped ? " up to there" : "");
	if (end->is && losses->n == written_over && incomplete)
		fprintf(stderr, "%llu packet%s began before (marked with !)\n", incomplete,
			incomplete == 1 ? "" : "s");
	else if (losses->n > written_over)
		fprintf(stderr, "incomplete: %llu packet%s there when entries were lost%s\n",
			incomplete, incomplete == 1 ? " was" : "s were",
			incomplete ? " (marked with !)" : "");
	if (losses->n > written_over && !end->is && packets_missing(packets))
		fprintf(stderr,
			"missing: %llu packet%s that matched %s not in the file at all, or more\n",
			(unsigned long long)packets_missing(packets),
			plural_of(packets_missing(packets)), verb_of(packets_missing(packets)));
	return losses->n > written_over || losses->calls || module_lost;
}
