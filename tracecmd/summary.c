// SPDX-License-Identifier: GPL-2.0
/* What is said at the end of a recording. */
#include <sys/stat.h>

#include "summary.h"

static void print_size(FILE *out, unsigned long long bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double size = bytes;
	size_t unit = 0;

	while (size >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		size /= 1024;
		unit++;
	}
	fprintf(out, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

static const char *plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

static void print_lost(FILE *out, const struct outcome *outcome)
{
	unsigned long long sum = outcome->lost_before;
	const char *comma = " (";

	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++)
		sum += outcome->lost[cpu];
	fprintf(out, "%llu lost", sum);
	if (!sum)
		return;
	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++) {
		if (outcome->lost[cpu]) {
			fprintf(out, "%sCPU %d: %llu", comma, cpu, outcome->lost[cpu]);
			comma = ", ";
		}
	}
	if (outcome->lost_before)
		fprintf(out, "%sin earlier rings: %llu", comma, outcome->lost_before);
	fputs("; a larger buffer helps: -b KB)", out);
}

/* What the module had to let go, each with what it means to the reader. */
static void print_module_losses(FILE *out, const struct record_skb_stats *stats,
				const struct record_skb_stats *before)
{
	const struct {
		unsigned long long n;
		const char *what;
	} losses[] = {
		{ stats->lost_frames + before->lost_frames,
		  "matches without a graph: no room for their task or depth, or a graph was just beginning" },
		{ stats->lost_recursion + before->lost_recursion,
		  "probe points passed unseen: ftrace could not be entered again" },
		{ stats->lost_tracked + before->lost_tracked,
		  "packets forgotten before they were freed: too many at once" },
		{ stats->lost_flows + before->lost_flows,
		  "flows given up, the longest unseen first: too many at once" },
		{ stats->lost_tasks + before->lost_tasks,
		  "children of the command not followed: too many at once" },
		{ stats->lost_functions + before->lost_functions,
		  "graphs without their functions: another user of function_graph began meanwhile" },
	};

	if (stats->untracked)
		fputs("packets are not remembered from point to point: this kernel does not show "
		      "their end\n",
		      out);
	if (stats->uncopied)
		fputs("copies of packets are not known as such: a live patch holds a function that "
		      "makes them\n",
		      out);
	if (stats->unruled)
		fputs("which rule of nftables decided is not recorded: this kernel does not show it, or a "
		      "live patch holds a function that does\n",
		      out);
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			fprintf(out, "%llu %s\n", losses[i].n, losses[i].what);
}

/* Nothing matched: what there was, and what of the options may be why. */
static void print_hint(FILE *out, const struct plan *plan, const struct meanwhile *meanwhile)
{
	const struct options *o = plan->options;

	meanwhile_print(out, meanwhile, o);
	if (o->expression && o->command)
		fputs("an expression alone decides and the command is not followed: leave it out to see what "
		      "the command does\n",
		      out);
	if (o->interfaces.n || o->netnses.n || o->nr_marks || o->dirs)
		fputs("each of -i, --netns, --mark, --rx and --tx leaves packets out: try without\n",
		      out);
	if (plan->expression)
		fprintf(out,
			"is there such a packet? 'tcpdump -n -i any \"%s\"' shows it, in each network "
			"namespace its own\n",
			plan->expression);
	else
		fputs("what is followed used no network, or only what was set up before by others\n",
		      out);
}

/* What a packet did to end a ring. */
static const char *what_it_did(const struct record_skb_stats *stats)
{
	static const char *const did[] = {
		[RECORD_SKB_BY_NOBODY] = "ended it",
		[RECORD_SKB_BY_DROP] = "was dropped",
		[RECORD_SKB_BY_SLOW] = "was slow",
		[RECORD_SKB_BY_MATCH] = "matched",
		[RECORD_SKB_BY_UNANSWERED] = "had no answer in time",
	};

	return did[stats->by < sizeof(did) / sizeof(did[0]) ? stats->by : 0];
}

static void print_packet(FILE *out, const struct record_skb_stats *stats)
{
	fprintf(out, "#%u", stats->by_pkt);
	if (stats->by_copy && stats->by_copy != RECORD_SKB_COPY_UNKNOWN)
		fprintf(out, ".%u", stats->by_copy);
	fprintf(out, " %s", what_it_did(stats));
}

void summary_print_incident(FILE *out, const struct record_skb_stats *stats, const char *file)
{
	fputs("trace-cmd record-skb: ", out);
	print_packet(out, stats);
	fprintf(out, ": %s\n", file);
}

/* What of the recording the ring held, and what ended it. */
static void print_ring(FILE *out, const struct plan *plan, const struct outcome *outcome)
{
	const struct ring_options *ring = &plan->options->ring;

	if (!ring->kb)
		return;
	if (ring->keep)
		fprintf(out, "%lu ring%s written\n", outcome->incidents,
			plural(outcome->incidents));
	else if (outcome->no_file)
		fputs("nothing that was waited for came: no file is written\n", out);
	else if (outcome->written_over)
		fprintf(out, "the ring held the last %.3f s; %llu older entries are written over\n",
			outcome->held, outcome->written_over);
	else
		fputs("the ring held all of it\n", out);
	if (outcome->stats.by && !ring->keep) {
		fputs("ended by --until: ", out);
		print_packet(out, &outcome->stats);
		fputc('\n', out);
	}
}

void summary_print(FILE *out, const struct plan *plan, const struct outcome *outcome)
{
	const struct record_skb_stats *stats = &outcome->stats;
	const char *file = plan->output.file;
	struct stat st;

	fprintf(out, "%llu packet%s matched, %llu flow%s seen\n",
		(unsigned long long)stats->packets, plural(stats->packets),
		(unsigned long long)stats->flows, plural(stats->flows));
	if (!stats->packets && !stats->calls && !outcome->incidents)
		print_hint(out, plan, outcome->meanwhile);
	if (file && !outcome->no_file)
		fprintf(out, "%llu entries recorded, ", outcome->entries);
	print_lost(out, outcome);
	if (plan->options->instances.n)
		fputs("; what the instances of -B have is not counted", out);
	if (options_pass(plan->options, "-m"))
		fputs("; of these the file has the newest, as much as -m has room for", out);
	fputc('\n', out);
	print_module_losses(out, stats, &outcome->before);
	if (outcome->limit && !stats->by)
		fprintf(out, "ended by %s\n", outcome->limit);
	if (outcome->left_running && !(plan->settings.flags & RECORD_SKB_OPT_NO_CHILDREN))
		fprintf(out,
			"the recording ended with the command; %d process%s that it started still "
			"run%s\n",
			outcome->left_running, outcome->left_running == 1 ? "" : "es",
			outcome->left_running == 1 ? "s" : "");
	print_ring(out, plan, outcome);
	if (file && !outcome->no_file && !stat(file, &st)) {
		fprintf(out, "%s: ", file);
		print_size(out, st.st_size);
		fputc('\n', out);
	}
}
