// SPDX-License-Identifier: GPL-2.0
/*
 * html.c - write one HTML page about the selected packets; the page needs no other files
 *
 * The page has no scripts. Each packet is a <details> element: its summary is the line in the list, and its
 * content is the call graph. The number of packets and the size of the page are limited.
 */
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"
#include "output/completeness.h"
#include "output/html.h"
#include "output/packet_graphs.h"

/*
 * This mark begins a line about a drop. Printed names contain no control characters, so the mark is unique.
 */
#define DROP_MARK "\001"
/*
 * This mark is a place in the list of packets where the cause of a drop has to be inserted. The cause is
 * written after the recording was read, because the texts of nftables rules are at the end of the recording.
 */
#define CAUSE_MARK '\002'

struct html {
	struct packet_graphs *graphs;
	struct packets **packets;
	struct explanations *explanations;
	FILE *list; /* the list of packets, with their graphs */
	char *list_text;
	size_t list_size;
	/* The causes of drops, in the same order as their marks (CAUSE_MARK) in the list. */
	struct explanation *causes;
	size_t nr_causes;
	uint64_t nr, listed, verdicts[VERDICTS], incomplete;
	uint64_t first, last;
};

struct html *html_new(const struct selected_numbers *selected, struct explanations *explanations,
		      struct packets **packets)
{
	struct html *html = calloc(1, sizeof(*html));

	if (!html)
		return NULL;
	html->explanations = explanations;
	html->packets = packets;
	html->graphs = packet_graphs_new(selected, DROP_MARK);
	html->list = open_memstream(&html->list_text, &html->list_size);
	if (html->list && html->graphs)
		return html;
	html_free(html);
	return NULL;
}

void html_free(struct html *html)
{
	if (!html)
		return;
	packet_graphs_free(html->graphs);
	if (html->list)
		fclose(html->list);
	free(html->list_text);
	free(html->causes);
	free(html);
}

struct packet_graphs *html_graphs(struct html *html)
{
	return html->graphs;
}

/* Text */

/* Write text that may contain any bytes, and escape it for HTML. */
static void write_text(FILE *file, const char *text)
{
	char safe[8192];

	for (const char *at = escape_text(safe, sizeof(safe), text); *at; at++) {
		switch (*at) {
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '&':
			fputs("&amp;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			fputc(*at, file);
		}
	}
}

static void write_cell(FILE *file, const char *class, const char *text)
{
	fprintf(file, "<span class=\"%s\">", class);
	write_text(file, text);
	fputs("</span>", file);
}

/* Write the lines of a graph, and highlight lines about a drop. */
static void write_graph(FILE *file, char *text)
{
	char *end;

	fputs("<pre>", file);
	for (; *text; text = end + 1) {
		const bool is_drop = *text == DROP_MARK[0];

		end = strchr(text, '\n');
		if (!end)
			break;
		*end = '\0';
		fputs(is_drop ? "<mark>" : "", file);
		write_text(file, text + is_drop);
		fputs(is_drop ? "</mark>\n" : "\n", file);
	}
	fputs("</pre>\n", file);
}

/* The list */

/*
 * If the copy was dropped, write a mark into the list, and store the cause. write_list() replaces the mark by
 * the cause.
 */
static void mark_cause(struct html *html, const struct packet *packet, const struct copy *copy)
{
	const enum verdict verdict = copy->outcome.verdict;
	struct explanation *causes, explanation;

	if ((verdict != VERDICT_DROPPED && verdict != VERDICT_FREED) ||
	    !explain_copy(html->explanations, packet, copy, &explanation))
		return;
	causes = realloc(html->causes, (html->nr_causes + 1) * sizeof(*causes));
	if (!causes)
		return;
	html->causes = causes;
	causes[html->nr_causes++] = explanation;
	fprintf(html->list, "<p class=\"cause\">%s%c</p>\n",
		verdict == VERDICT_FREED ? "possibly dropped: " : "", CAUSE_MARK);
}

static void write_copies(struct html *html, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*html->packets);
	char number[NUMBER_LEN], path[PATH_LEN], verdict[VERDICT_LEN];

	if (packet->nr_copies > 1)
		fputs("<ul>\n", html->list);
	for (unsigned int i = 0; packet->nr_copies > 1 && i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		fprintf(html->list, "<li>#%s ", words_number(number, packet, copy));
		write_text(html->list, words_path(path, &copy->path, devices));
		fputs(": ", html->list);
		write_text(html->list, words_outcome(verdict, &copy->outcome, devices));
		fputs("</li>\n", html->list);
	}
	if (packet->nr_copies > 1)
		fputs("</ul>\n", html->list);
	for (unsigned int i = 0; i < packet->nr_copies; i++)
		mark_cause(html, packet, packet->copies[i]);
}

static void write_summary(const struct html *html, const struct packet *packet)
{
	const struct devices *devices = packets_devices(*html->packets);
	const struct copy *first = packet->copies[0];
	char text[PATH_LEN], flow[FLOW_TEXT_LEN], flags[TCP_FLAGS_LEN];
	FILE *list = html->list;

	fputs("<summary>", list);
	snprintf(text, sizeof(text), "#%u%s", packet->number, packet->incomplete ? "!" : "");
	write_cell(list, "n", text);
	write_cell(list, "t", words_time(text, packet->first));
	snprintf(text, sizeof(text), "%s %s", words_flow(flow, &first->flow),
		 first->flow.proto == PROTO_TCP ? words_tcp_flags(flags, first) : "");
	write_cell(list, "f", text);
	snprintf(text, sizeof(text), "%u bytes", first->len);
	write_cell(list, "l", text);
	write_cell(list, "p", words_path(text, &packet->decided->path, devices));
	write_cell(list, "s", words_duration(text, packet->stack_ns));
	write_cell(list, "v", words_verdict(text, packet, devices));
	fputs("</summary>\n", list);
}

static bool is_dropped(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->outcome.verdict == VERDICT_DROPPED)
			return true;
	}
	return false;
}

static void list_packet(struct html *html, const struct packet_graph_text *graph,
			const struct packet *packet)
{
	html->listed++;
	fprintf(html->list, "<details id=\"p%u\"%s>", packet->number,
		is_dropped(packet) ? " class=\"dropped\"" : "");
	write_summary(html, packet);
	write_copies(html, packet);
	if (graph->text)
		write_graph(html->list, graph->text);
	if (graph->is_cut)
		fputs("<p>The rest of this graph is left out, because the page would become too large.</p>\n",
		      html->list);
	fputs("</details>\n", html->list);
}

static void add_packet(void *data, const struct packet *packet)
{
	struct html *html = data;
	struct packet_graph_text graph;

	html->nr++;
	html->verdicts[packet->decided->outcome.verdict]++;
	html->incomplete += packet->incomplete;
	if (!html->first || packet->first < html->first)
		html->first = packet->first;
	if (packet->last > html->last)
		html->last = packet->last;
	if (packet_graphs_take(html->graphs, packet->number, &graph)) {
		list_packet(html, &graph, packet);
		free(graph.text);
	}
	explanations_forget(html->explanations, packet);
}

static void forget_other(void *data, const struct packet *packet)
{
	explanations_forget(((struct html *)data)->explanations, packet);
}

const struct output html_output = { .packet = add_packet, .other = forget_other };

/* Write the list of packets, and replace each mark by the cause of a drop. */
static void write_list(const struct html *html, FILE *file)
{
	const char *at = html->list_text, *end = at + html->list_size, *mark;
	char text[EXPLANATION_LEN];

	for (size_t i = 0; i < html->nr_causes; i++, at = mark + 1) {
		mark = memchr(at, CAUSE_MARK, end - at);
		if (!mark)
			break;
		fwrite(at, 1, mark - at, file);
		write_text(file, words_explanation(text, html->explanations, &html->causes[i]));
	}
	fwrite(at, 1, end - at, file);
}

/* The page */

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\""
	"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<style>\n"
	":root { color-scheme: light dark; --line: #d0d7de; --dim: #57606a;\n"
	"  --drop: #cf222e; --mark: #ffebe9;\n"
	"  --page: #ffffff; --text: #1f2328; --bar: #f6f8fa; }\n"
	"@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --dim: #9198a1; --drop: #ff7b72;\n"
	"  --mark: #4c1d1f; --page: #0d1117; --text: #e6edf3; --bar: #161b22; } }\n"
	"body { margin: 1em auto; max-width: 110em; padding: 0 1em; font: 14px/1.5 system-ui, sans-serif;\n"
	"  background: var(--page); color: var(--text); }\n"
	"h1 { font-size: 1.4em; overflow-wrap: anywhere; }\n"
	"dl { display: grid; grid-template-columns: max-content 1fr;\n"
	"  gap: 0 1em; } dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }\n"
	"details { border-top: 1px solid var(--line); content-visibility: auto;\n"
	"  contain-intrinsic-height: 1.9em; }\n"
	"summary, .titles { display: grid; gap: 0 .8em; padding: .2em; cursor: pointer;\n"
	"  grid-template-columns: 4em 8em 3fr 5.5em 3fr 5em 3fr; }\n"
	"summary::before { content: none; }\n"
	"summary:hover, details[open] > summary { background: var(--bar); }\n"
	"span { overflow-wrap: anywhere; }\n"
	".l, .s, .t, .n { text-align: right; font-variant-numeric: tabular-nums; }\n"
	".titles { color: var(--dim); cursor: default; }\n"
	".dropped .v, .cause { color: var(--drop); font-weight: 600; }\n"
	"ul, .cause { margin: .3em 0 .3em 4.8em; padding: 0; }\n"
	"pre { overflow-x: auto; background: var(--bar);\n"
	"  padding: .6em; margin: 0 0 .6em; font: 12px/1.4 ui-monospace, monospace; }\n"
	"mark { background: var(--mark); color: var(--drop); font-weight: 600; }\n"
	"@media (max-width: 60em) { .titles { display: none; } summary { display: flex; flex-wrap: wrap; }\n"
	"  .l, .s, .t, .n { text-align: left; }\n"
	"  .f, .v { flex-basis: 100%; } ul, .cause { margin-left: 1em; } }\n"
	"</style>\n";

static void begin_fact(FILE *file, const char *name)
{
	fprintf(file, "<dt>%s</dt><dd>", name);
}

static void write_selection(FILE *file, const struct chosen *chosen)
{
	if (!chosen_any(chosen))
		return;
	begin_fact(file, "selected by");
	if (chosen->expression) {
		fputs("<code>", file);
		write_text(file, chosen->expression);
		fputs("</code> ", file);
	}
	if (chosen->by_flow)
		fprintf(file, "flow %u ", chosen->flow);
	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		if (chosen->verdicts & 1u << verdict)
			fprintf(file, "%s ", words_verdict_name(verdict));
	}
	if (chosen->from)
		fprintf(file, "from %.6f ", chosen->from / 1e6);
	if (chosen->to != UINT64_MAX)
		fprintf(file, "to %.6f", chosen->to / 1e6);
	fputs("</dd>\n", file);
}

static void write_completeness(const struct html *html, FILE *file, const struct html_about *about)
{
	begin_fact(file, "complete");
	fputs(words_completeness(packets_losses(*html->packets), about->ring_end,
				 about->has_beginning),
	      file);
	if (html->incomplete)
		fprintf(file, "; %llu packet%s %s marked with !",
			(unsigned long long)html->incomplete, plural_of(html->incomplete),
			verb_of(html->incomplete));
	fputs("</dd>\n", file);
}

static void write_facts(const struct html *html, FILE *file, const struct html_about *about)
{
	char first[TIME_LEN], last[TIME_LEN];
	const char *comma = "";

	fputs("<dl>\n", file);
	write_selection(file, about->chosen);
	begin_fact(file, "packets");
	fprintf(file, "%llu", (unsigned long long)html->nr);
	if (html->nr > html->listed)
		fprintf(file, "; the page has the first %llu: select fewer to see others",
			(unsigned long long)html->listed);
	fputs("</dd>\n", file);
	begin_fact(file, "verdicts");
	for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
		if (!html->verdicts[verdict])
			continue;
		fprintf(file, "%s%llu %s", comma, (unsigned long long)html->verdicts[verdict],
			words_verdict_name(verdict));
		comma = ", ";
	}
	fputs("</dd>\n", file);
	if (html->nr) {
		begin_fact(file, "time");
		fprintf(file, "%s to %s</dd>\n", words_time(first, html->first),
			words_time(last, html->last));
	}
	if (about->ring_end->is && about->ring_end->pkt) {
		begin_fact(file, "stopped by");
		fprintf(file, "<a href=\"#p%u\">#%u</a></dd>\n", about->ring_end->pkt,
			about->ring_end->pkt);
	}
	write_completeness(html, file, about);
	fputs("</dl>\n", file);
}

/*
 * Write the text of the summary without the list of packets, which follows after an empty line. The first
 * lines repeat facts of the page's head, but readers know this summary from the terminal.
 */
static void write_text_summary(FILE *file, const char *summary)
{
	const char *end = summary ? strstr(summary, "\n\n") : NULL;
	char line[4096];

	if (!summary || !*summary)
		return;
	fputs("<pre class=\"summary\">", file);
	for (; *summary && (!end || summary <= end); summary += strcspn(summary, "\n") + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(summary, "\n"), summary);
		write_text(file, line);
		fputc('\n', file);
		if (!strchr(summary, '\n'))
			break;
	}
	fputs("</pre>\n", file);
}

void html_write(struct html *html, FILE *file, const struct html_about *about)
{
	fflush(html->list);
	fputs(head, file);
	fputs("<title>", file);
	write_text(file, about->recording);
	fputs("</title>\n</head>\n<body>\n<h1>", file);
	write_text(file, about->recording);
	fputs("</h1>\n", file);
	write_facts(html, file, about);
	write_text_summary(file, about->summary);
	fputs("<div class=\"titles\"><span class=\"n\">packet</span><span class=\"t\">time</span>"
	      "<span>flow</span>"
	      "<span class=\"l\">length</span><span>path</span><span class=\"s\">stack</span>"
	      "<span>verdict</span></div>\n",
	      file);
	write_list(html, file);
	fputs("</body>\n</html>\n", file);
}
