// SPDX-License-Identifier: GPL-2.0
/* finding.c - choose the most important finding of a recording, and the command that shows more about it */
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "output/summary.h"

/* The finding that is being written, and the objects from which it is chosen. */
struct finding {
	const struct overview *overview;
	const struct recorded *recorded;
	const struct packets *packets;
	struct found *found;
	char *text, *command; /* members of @found */
};

/*
 * Set the command to trace-cmd report-skb with the name of this file and @option. If the option is not for a
 * single packet, add the options that select packets.
 */
static void show_with(const struct finding *finding, const char *option, uint32_t packet)
{
	const char *file = finding->recorded->file;
	char word[FINDING_LEN - 64], number[16] = "", chosen[FINDING_LEN] = "";
	const bool is_default = !strcmp(file, "trace.dat");
	int n;

	*finding->command = '\0';
	if (packet)
		snprintf(number, sizeof(number), "%u", packet);
	else if (!chosen_words(chosen, sizeof(chosen), finding->recorded->chosen))
		return;
	if (finding->recorded->words) {
		n = snprintf(finding->command, FINDING_LEN, "trace-cmd report-skb %s %s%s%s",
			     finding->recorded->words, option, number, chosen);
	} else {
		if (!is_default && !escape_shell(word, sizeof(word), file))
			return;
		n = snprintf(finding->command, FINDING_LEN, "trace-cmd report-skb %s%s%s%s%s%s",
			     is_default ? "" : "-i ", is_default ? "" : word, is_default ? "" : " ",
			     option, number, chosen);
	}
	/* Suggest no command if it was truncated, because it would do something else. */
	if (n >= FINDING_LEN)
		*finding->command = '\0';
}

/*
 * Format the first packet of a row: "#23, udp 10.0.0.2:53". The server is left out if the packets of the row
 * have different servers.
 */
static const char *words_example(char *buf, size_t size, const struct happened *row)
{
	char server[FLOW_TEXT_LEN];

	if (row->server && row->server->is_known && row->nr_server == row->nr)
		snprintf(buf, size, "#%u, %s", row->example, words_server(server, row->server));
	else
		snprintf(buf, size, "#%u", row->example);
	return buf;
}

static const struct happened *first_of(const struct finding *finding, enum happened_rank rank)
{
	struct happened *const *rows;
	size_t n;

	rows = overview_happened(finding->overview, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->rank == rank)
			return rows[i];
	}
	return NULL;
}

static uint64_t count_of(const struct finding *finding, enum happened_rank rank)
{
	struct happened *const *rows;
	uint64_t nr = 0;
	size_t n;

	rows = overview_happened(finding->overview, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->rank == rank)
			nr += rows[i]->nr;
	}
	return nr;
}

/*
 * Return: the row about dropped ICMP errors that tell a sender the MTU of the path; NULL if there is no
 * such row, or if an error like these was not dropped. Without these errors, the sender continues to send
 * packets that are too big.
 */
static const struct happened *dropped_mtu_errors(const struct finding *finding)
{
	const struct happened *errors = NULL;
	struct happened *const *rows;
	size_t n;

	rows = overview_happened(finding->overview, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->is_extra || !rows[i]->nr_mtu)
			continue;
		if (rows[i]->rank != HAPPENED_DROPPED)
			return NULL;
		if (!errors && rows[i]->nr_mtu == rows[i]->nr)
			errors = rows[i];
	}
	return errors;
}

static bool is_about_mtu(const struct happened *row)
{
	return row->explanation.limit.kind == RECORD_SKB_LIMIT_MTU ||
	       strstr(row->text, "PKT_TOO_BIG");
}

/*
 * Return: true if the packets of the row were dropped without harm, or if the missing answers to their SYNs
 * or pings show nothing, because the recording may lack answers.
 */
static bool is_harmless(const struct finding *finding, const struct happened *row)
{
	if (row->rank == HAPPENED_MAYBE_DROPPED)
		return overview_may_lack_answers(finding->overview, row);
	return row->explanation.is_harmless;
}

/* Return: the first row of a rank; NULL if no row has this rank. Rows about harmless drops come last. */
static const struct happened *first_drop(const struct finding *finding, enum happened_rank rank)
{
	const struct happened *harmless = NULL;
	struct happened *const *rows;
	size_t n;

	rows = overview_happened(finding->overview, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->rank == rank && !is_harmless(finding, rows[i]))
			return rows[i];
		if (rows[i]->rank == rank && !harmless)
			harmless = rows[i];
	}
	return harmless;
}

/* Return: true if a row of this rank is not harmless. */
static bool has_harmful_drops(const struct finding *finding, enum happened_rank rank)
{
	const struct happened *row = first_drop(finding, rank);

	return row && !is_harmless(finding, row);
}

/* Describe dropped packets. Return: false if no packet was dropped. */
static bool find_drops(const struct finding *finding, enum happened_rank rank)
{
	const struct happened *row = first_drop(finding, rank), *errors = NULL;
	char packet[FLOW_TEXT_LEN + 16];

	if (!row)
		return false;
	if (is_about_mtu(row) || row->nr_mtu == row->nr)
		errors = dropped_mtu_errors(finding);
	if (errors)
		row = errors;
	snprintf(finding->text, FINDING_LEN, "%s%llu of %llu packet%s (%s) %s %s.",
		 errors ? "The sender does not learn the MTU of the way: " : "",
		 (unsigned long long)row->nr,
		 (unsigned long long)overview_packets(finding->overview),
		 plural_of(overview_packets(finding->overview)),
		 words_example(packet, sizeof(packet), row), row->nr == 1 ? "was" : "were",
		 row->text);
	if (count_of(finding, rank) > 1)
		show_with(finding, "--why", 0);
	else
		show_with(finding, "--why=", row->example);
	return true;
}

/*
 * Return: the reason why packets wait in the queue, to be appended to the name of the queue. It is empty if
 * the name shows the reason.
 */
static const char *what_it_waits_for(const char *queue)
{
	if (strstr(queue, "neigh_"))
		return ", for the link-layer address of its neighbour";
	return strstr(queue, "__dev_queue_xmit") ? ", in the queueing discipline" : "";
}

/*
 * Describe what was not answered or not read: "2 packets". The recording does not show if the client waits
 * for an answer to its data, so do not call the data a request.
 */
static const char *words_awaited(char *buf, size_t size, const struct open_wait *wait)
{
	const unsigned long long nr = wait->nr;
	const char *s = plural_of(nr);

	if (wait->kind == OPEN_CONNECT)
		snprintf(buf, size, "%llu connection request%s", nr, s);
	else if (wait->kind != OPEN_REQUEST)
		snprintf(buf, size, "%llu packet%s", nr, s);
	else if (wait->server->proto == PROTO_TCP)
		snprintf(buf, size, "the last data of %llu connection%s", nr, s);
	else if (wait->server->proto == PROTO_UDP)
		snprintf(buf, size, "the last datagram of %llu flow%s", nr, s);
	else
		snprintf(buf, size, "%llu request%s", nr, s);
	return buf;
}

/* Describe a wait that had not ended at the end of the recording. @ns is its duration until then. */
static void describe_wait(const struct finding *finding, const struct open_wait *wait, uint64_t ns)
{
	const bool is_unread = wait->kind == OPEN_UNREAD_BY_SERVER ||
			       wait->kind == OPEN_UNREAD_BY_CLIENT;
	const unsigned long long nr = wait->nr;
	char server[FLOW_TEXT_LEN], time[DURATION_LEN], closed[CLOSED_LEN], awaited[64];

	words_duration(time, ns);
	words_open_closed(closed, wait);
	if (wait->kind == OPEN_QUEUED)
		snprintf(finding->text, FINDING_LEN,
			 "%llu packet%s (#%u) still waited at the end, for at least %s: %s%s.", nr,
			 plural_of(nr), wait->packet, time, wait->where,
			 what_it_waits_for(wait->where));
	else if (wait->kind == OPEN_UNREAD)
		snprintf(finding->text, FINDING_LEN,
			 "%llu packet%s (#%u) %s not read until the end, at least %s long%s.", nr,
			 plural_of(nr), wait->packet, nr == 1 ? "was" : "were", time, closed);
	else
		snprintf(finding->text, FINDING_LEN,
			 "%s%s did not %s %s until the end, at least %s long%s (#%u).",
			 wait->kind == OPEN_UNREAD_BY_CLIENT ? "The client of " : "",
			 words_server(server, wait->server), is_unread ? "read" : "answer",
			 words_awaited(awaited, sizeof(awaited), wait), time, closed, wait->packet);
}

/*
 * Return: true if a connection request has no answer because the server possibly dropped it. In this case,
 * the cause of the drop says more than the wait.
 */
static bool is_explained(const struct finding *finding, const struct open_wait *wait)
{
	const struct happened *row = first_of(finding, HAPPENED_MAYBE_DROPPED);

	return wait->kind == OPEN_CONNECT && row && row->server == wait->server;
}

/* Set the command that shows the process or the queue of a wait. */
static void show_waiting(const struct finding *finding, const struct open_wait *wait)
{
	if (open_wait_command(finding->found->see, wait))
		finding->found->netns = wait->netns;
	else
		*finding->found->see = '\0';
}

/*
 * Describe the longest wait of this kind that had not ended at the end of the recording. Return: false if
 * there is no wait of at least LONG_WAIT.
 */
static bool find_open(const struct finding *finding, enum open_kind kind)
{
	const uint64_t end = overview_last(finding->overview);
	struct open_wait *const *waits;
	size_t n;

	waits = overview_open(finding->overview, &n);
	for (size_t i = 0; i < n; i++) {
		const struct open_wait *wait = waits[i];

		if (wait->kind != kind || end < wait->since || end - wait->since < LONG_WAIT)
			continue;
		if (is_explained(finding, wait))
			return find_drops(finding, HAPPENED_MAYBE_DROPPED);
		describe_wait(finding, wait, end - wait->since);
		show_with(finding, "--packet ", wait->packet);
		show_waiting(finding, wait);
		return true;
	}
	return false;
}

const char *summary_unread(char *buf, const struct happened *row)
{
	*buf = '\0';
	if (row->nr_unread && row->nr_unread == row->nr)
		snprintf(buf, UNREAD_LEN, " (%llu unread byte%s)", (unsigned long long)row->unread,
			 plural_of(row->unread));
	return buf;
}

/*
 * Describe the first row of a rank: TCP resets, retransmissions, failed calls, or packets that a packet
 * socket did not get. Return: false if no row has this rank.
 */
static bool find_row(const struct finding *finding, enum happened_rank rank)
{
	const struct happened *row = first_of(finding, rank);
	char example[FLOW_TEXT_LEN + 32] = "", packet[FLOW_TEXT_LEN + 16], unread[UNREAD_LEN];
	unsigned long long nr;
	size_t noun;

	if (!row)
		return false;
	nr = row->nr;
	if (row->example)
		snprintf(example, sizeof(example), " (%s)",
			 words_example(packet, sizeof(packet), row));
	/* The text of a row begins with a noun: "TCP reset, sent by nginx in …", "retransmissions". */
	noun = strcspn(row->text, ",");
	if (rank == HAPPENED_AGAIN)
		snprintf(finding->text, FINDING_LEN, "%llu retransmission%s%s.", nr, plural_of(nr),
			 example);
	else if (rank == HAPPENED_NOT_TAPPED)
		snprintf(finding->text, FINDING_LEN, "%llu packet%s %s%s.", nr, plural_of(nr),
			 row->text, example);
	else if (rank == HAPPENED_REFUSED)
		snprintf(finding->text, FINDING_LEN, "%llu call%s failed%s: %s.", nr, plural_of(nr),
			 example, row->text);
	else
		snprintf(finding->text, FINDING_LEN, "%llu %.*s%s%s%s%s.", nr, (int)noun, row->text,
			 plural_of(nr), example, row->text + noun, summary_unread(unread, row));
	if (rank == HAPPENED_REFUSED || rank == HAPPENED_RESET)
		show_with(finding, "--why", 0);
	else
		show_with(finding, "--packet ", row->example);
	return true;
}

/*
 * Describe packets that left a host and did not arrive at the next one. Return: false if there are no such
 * packets.
 */
static bool find_lost(const struct finding *finding)
{
	const struct happened *row = first_of(finding, HAPPENED_LOST);
	const uint64_t all = overview_packets(finding->overview);
	char packet[FLOW_TEXT_LEN + 16];

	if (!row)
		return false;
	snprintf(finding->text, FINDING_LEN, "%llu of %llu packet%s (%s) %s.",
		 (unsigned long long)row->nr, (unsigned long long)all, plural_of(all),
		 words_example(packet, sizeof(packet), row), row->text);
	show_with(finding, "--list --verdict lost", 0);
	return true;
}

/* Describe dropped copies of packets that were not dropped. Return: false if no copy was dropped. */
static bool find_copies(const struct finding *finding)
{
	static const char before[] = "a copy was ";
	const struct happened *row = first_drop(finding, HAPPENED_COPY_DROPPED);
	const uint64_t all = overview_packets(finding->overview);
	char packet[FLOW_TEXT_LEN + 16];

	if (!row)
		return false;
	snprintf(finding->text, FINDING_LEN, "A copy of %llu of %llu packet%s (%s) was %s.",
		 (unsigned long long)row->nr, (unsigned long long)all, plural_of(all),
		 words_example(packet, sizeof(packet), row),
		 !strncmp(row->text, before, strlen(before)) ? row->text + strlen(before) :
							       row->text);
	show_with(finding, "--why=", row->example);
	return true;
}

#define PAUSE_LEN 160
/*
 * Describe a pause in the data of a server that is longer than all delays, because an answer may have come
 * after it.
 * Return: the text, which follows @before; empty without such a pause.
 */
static const char *words_pause(char *buf, size_t size, const char *before,
			       const struct pause *pause)
{
	char ns[DURATION_LEN];

	*buf = '\0';
	if (pause)
		snprintf(buf, size,
			 "%sno data of the server came for %s (#%u -> #%u): it may have worked or "
			 "been idle",
			 before, words_duration(ns, pause->ns), pause->number, pause->next);
	return buf;
}

/* Describe the longest delay. Return: false if the delay is not much longer than the other delays. */
static bool find_delay(const struct finding *finding)
{
	const struct delays *delays = overview_delays(finding->overview);
	const struct delay *delay = delays_longest(delays);
	char text[DELAY_LEN], pause[PAUSE_LEN], ns[DURATION_LEN];

	if (!delay || !delays_stands_out(delays))
		return false;
	words_pause(pause, sizeof(pause), " Also, ", delays_pause(delays));
	snprintf(finding->text, FINDING_LEN, "The longest delay is %s: %s.%s%s",
		 words_duration(ns, delay->ns),
		 words_delay(text, delay, packets_devices(finding->packets)), pause,
		 *pause ? "." : "");
	show_with(finding, "--packet ", delay->number);
	return true;
}

bool summary_is_complete(const struct recorded *recorded, const struct packets *packets)
{
	const struct lost_events *losses = packets_losses(packets);

	for (size_t i = 0; i < losses->n; i++) {
		if (!recorded->end->is || losses->v[i].from)
			return false;
	}
	return !losses->calls && !module_losses_any(&losses->module) &&
	       (recorded->has_beginning || recorded->end->is);
}

uint64_t summary_last(const struct overview *overview, const struct recorded *recorded)
{
	return chosen_any(recorded->chosen) ? overview_last_packet(overview) :
					      overview_last(overview);
}

void summary_finding(const struct overview *overview, const struct recorded *recorded,
		     const struct packets *packets, struct found *found)
{
	const struct finding finding = {
		.overview = overview,
		.recorded = recorded,
		.packets = packets,
		.found = found,
		.text = found->text,
		.command = found->command,
	};
	const struct pause *pause = delays_pause(overview_delays(overview));
	char text[PAUSE_LEN], calls[96];
	uint64_t others;
	bool knows_all;

	*found = (struct found){ 0 };

	if (!overview_packets(overview)) {
		if (find_row(&finding, HAPPENED_REFUSED))
			return;
		snprintf(found->text, FINDING_LEN, "No packet matched.");
		return;
	}
	if ((has_harmful_drops(&finding, HAPPENED_DROPPED) &&
	     find_drops(&finding, HAPPENED_DROPPED)) ||
	    find_lost(&finding) || find_open(&finding, OPEN_CONNECT) ||
	    find_open(&finding, OPEN_REQUEST) || find_open(&finding, OPEN_UNREAD_BY_SERVER) ||
	    (has_harmful_drops(&finding, HAPPENED_MAYBE_DROPPED) &&
	     find_drops(&finding, HAPPENED_MAYBE_DROPPED)) ||
	    find_row(&finding, HAPPENED_RESET) || find_row(&finding, HAPPENED_REFUSED) ||
	    find_open(&finding, OPEN_UNREAD_BY_CLIENT) || find_open(&finding, OPEN_UNREAD) ||
	    find_open(&finding, OPEN_QUEUED) || find_delay(&finding) ||
	    find_row(&finding, HAPPENED_NOT_TAPPED) || find_copies(&finding) ||
	    find_drops(&finding, HAPPENED_DROPPED) || find_row(&finding, HAPPENED_AGAIN) ||
	    find_row(&finding, HAPPENED_ICMP_ERROR))
		return;
	knows_all = summary_is_complete(recorded, packets) &&
		    !first_of(&finding, HAPPENED_UNKNOWN) &&
		    !first_of(&finding, HAPPENED_MAYBE_DROPPED);
	others = overview_other_calls(overview);
	if (others)
		snprintf(calls, sizeof(calls),
			 "; %llu call%s failed with an error that has no explanation here",
			 (unsigned long long)others, plural_of(others));
	snprintf(found->text, FINDING_LEN, "%s was dropped%s, %s.",
		 knows_all ? "Nothing" : "As far as recorded, nothing",
		 others ? calls : " or refused",
		 pause ? words_pause(text, sizeof(text), "but ", pause) :
			 "and no delay is much longer than the others");
	if (pause)
		show_with(&finding, "--packet ", pause->next);
	else
		show_with(&finding, "--list", 0);
}
