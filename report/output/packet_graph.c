// SPDX-License-Identifier: GPL-2.0
/*
 * packet_graph.c - print the complete path of a packet as an indented graph
 *
 * A packet is processed in several call graphs, for example in a system call and then in a softirq on another
 * CPU. The graphs are printed one after the other, with the time between them. If functions within a graph
 * process another packet, they are printed as a single line. A graph of the packet can be nested in a socket
 * call, or in the graph of another packet. In this case, the enclosing functions are printed on one line.
 * With --whole, they are printed completely.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "output/packet_graph.h"
#include "model/causes.h"
#include "model/function_stack.h"
#include "model/packet_copies.h"
#include "model/packet_text.h"

enum owner { NOT_SHOWN, OURS, OTHERS };

struct packet_graph {
	FILE *out;
	const char *drop_mark;
	uint32_t number;
	bool seen;
	/*
	 * Stacks of open functions. In each function, the member pkt contains an enum owner. The member copy
	 * contains the number of the packet that the function processes.
	 */
	struct table stacks;
	int pid, cpu; /* task and CPU of the graph that is being printed */
	bool printing;
	int base; /* depth of the outermost function in the graph that is being printed */
	int open_graphs;
	uint64_t last; /* time of the last row of the packet */
	/*
	 * The function that was entered last. It is printed when the next row comes, because only the next
	 * row shows if the function calls other functions.
	 */
	const struct name *held;
	int held_depth;
	/* number of the packet that @held processes, if the line of @held shows it; 0 otherwise */
	uint32_t held_pkt;
	uint64_t enclosing; /* when the enclosing functions that were printed last began */
	struct packets *const *packets;
	bool is_whole; /* print all functions, also those of other packets and of calls */
};

struct packet_graph *packet_graph_new(uint32_t number, FILE *out, const char *drop_mark)
{
	struct packet_graph *graph = calloc(1, sizeof(*graph));

	if (!graph)
		return NULL;
	graph->number = number;
	graph->out = out;
	graph->drop_mark = drop_mark;
	stacks_init(&graph->stacks);
	return graph;
}

void packet_graph_free(struct packet_graph *graph)
{
	if (!graph)
		return;
	table_free(&graph->stacks);
	free(graph);
}

static void print_line(const struct packet_graph *graph, const uint64_t *ns, int depth,
		       const char *text, const char *more)
{
	char duration[DURATION_LEN] = "";
	int indent = depth > graph->base ? depth - graph->base : 0;

	if (ns)
		words_duration(duration, *ns);
	fprintf(graph->out, "%10s |  %*s%s%s\n", duration, 2 * indent, "", text, more);
}

static void print_held(struct packet_graph *graph)
{
	char more[32] = "() {";

	if (graph->held_pkt)
		snprintf(more, sizeof(more), "() { /* #%u */", graph->held_pkt);
	if (graph->held)
		print_line(graph, NULL, graph->held_depth, graph->held->text, more);
	graph->held = NULL;
}

static void print_place(struct packet_graph *graph, const struct moment *at, bool delay)
{
	char time[TIME_LEN], later[DURATION_LEN], comm[ESCAPED_LEN(TASK_NAME_LEN)];
	char host[ON_HOST_LEN];

	print_held(graph);
	fprintf(graph->out, "-- %s  CPU %d%s  %s-%d%s", words_time(time, at->ts),
		hosts_cpu_of_cpu(at->cpu), words_on_host_of_cpu(host, at->cpu),
		escape_text(comm, sizeof(comm), at->comm ? at->comm : "?"),
		hosts_pid_of_task(at->pid), at->softirq ? "  softirq" : "");
	if (delay && graph->last)
		fprintf(graph->out, "  %s later", words_duration(later, at->ts - graph->last));
	fputc('\n', graph->out);
	graph->pid = at->pid;
	graph->cpu = at->cpu;
	graph->printing = true;
}

/*
 * Maximum width of the names of the enclosing functions. If the names are wider, some of them are left out,
 * and their number is printed.
 */
#define ENCLOSING_WIDTH 160

/*
 * Return: the number of enclosing functions to leave out, so that the other functions fit on the line. Always
 * print the outermost function. Print as many of the innermost functions as possible, because they show best
 * why the packet exists. So leave out functions that directly follow the outermost function.
 */
static int count_left_out(const struct open_function *const *functions, int n)
{
	int width = n ? strlen(functions[0]->name->text) : 0, i;

	for (i = n - 1; i > 0; i--) {
		width += strlen(functions[i]->name->text) + strlen("() > ");
		if (width > ENCLOSING_WIDTH)
			break;
	}
	/*
	 * Do not leave out a single function, because the text "1 more" would not be shorter than its name.
	 */
	return i > 1 ? i : 0;
}

/*
 * Print the open functions around the first function of the packet. If several graphs of the packet are in
 * the same enclosing graph, print these functions only once.
 */
static void print_enclosing(struct packet_graph *graph, const struct moment *at)
{
	const struct stack *stack = stacks_find(&graph->stacks, at->pid, at->cpu, false);
	const struct open_function *functions[STACK_DEPTH];
	uint32_t pkt = 0;
	int n = 0, more;

	for (int i = 0; stack && i < stack->n && stack->v[i].pkt != OURS; i++) {
		if (!stack->v[i].name->gate)
			functions[n++] = &stack->v[i];
	}
	if (!n || functions[0]->entered == graph->enclosing)
		return;
	graph->enclosing = functions[0]->entered;
	fprintf(graph->out, "           |  in ");
	more = count_left_out(functions, n);
	for (int i = 0; i < n; i++) {
		if (i == 1 && more) {
			fprintf(graph->out, "%d more > ", more);
			i += more;
		}
		fprintf(graph->out, "%s()", functions[i]->name->text);
		if (functions[i]->copy && functions[i]->copy != pkt)
			fprintf(graph->out, " /* #%u */", functions[i]->copy);
		pkt = functions[i]->copy;
		fprintf(graph->out, i + 1 < n ? " > " : "\n");
	}
}

/*
 * Print a heading if the next row belongs to another task or CPU than the row before. Rows of several CPUs
 * can alternate.
 */
static void go_to(struct packet_graph *graph, const struct moment *at)
{
	if (!graph->printing || graph->pid != at->pid || graph->cpu != at->cpu)
		print_place(graph, at, !graph->open_graphs);
	graph->last = at->ts;
	if (!graph->open_graphs && !graph->is_whole)
		print_enclosing(graph, at);
}

static void print_decision(const struct packet_graph *graph, uint32_t number,
			   const struct decision *decision)
{
	char text[DECISION_TEXT_LEN];

	fprintf(graph->out, "           >  #%u %s\n", number, words_decision(text, decision));
}

/*
 * Print the decisions that were concluded from the packet's events at this probe point, such as NAT. Print
 * nothing if struct packets does not have the packet.
 */
static void print_conclusions(const struct packet_graph *graph, const struct moment *at,
			      const struct skb_event *event)
{
	const struct packet *packet = graph->packets ? packets_find(*graph->packets, event->pkt) :
						       NULL;
	const struct copy *copy = packet ? copies_find(packet, event->copy) : NULL;
	const struct decision *decision;

	for (unsigned int i = 0; copy && i < copy->path.decisions.n; i++) {
		decision = &copy->path.decisions.v[i];
		/*
		 * A socket call looks up the route before it creates the packet. Print the route at the
		 * packet's first event.
		 */
		if (decision->at == at->ts ? decision->facts.kind >= DECISION_CONNTRACK :
					     copy->first == at->ts && !copy->number)
			print_decision(graph, event->pkt, decision);
	}
}

/* Return: the kind of a device that puts packets into a tunnel, in parentheses; "" for other devices. */
static const char *words_tunnel(char *buf, size_t size, const char *kind)
{
	static const char *const kinds[] = {
		"vxlan",     "geneve", "gre",	  "gretap", "ip6gre", "ip6gretap", "erspan",
		"ip6erspan", "ipip",   "sit",	  "ip6tnl", "vti",    "vti6",	   "xfrm",
		"wireguard", "gtp",    "bareudp", "ovpn",   "amt",
	};

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(kind, kinds[i]))
			snprintf(buf, size, " (%s)", kind);
	}
	return buf;
}

static void graph_handle_probe(void *data, const struct moment *at,
			       const struct packet_seen *packet)
{
	static const char *const dirs[] = { "", "receive ", "transmit " };
	struct packet_graph *graph = data;
	char text[FLOW_TEXT_LEN], device[ESCAPED_LEN(sizeof(packet->facts.dev))];
	char tunnel[sizeof(packet->facts.dev_kind) + 4];

	if (packet->event->pkt == graph->number)
		graph->seen = true;
	else if (!graph->is_whole)
		return;
	go_to(graph, at);
	print_held(graph);
	flow_text_packet(text, packet->event->pkt, &packet->event->flow);
	escape_text(device, sizeof(device), packet->facts.dev);
	fprintf(graph->out, "           >  %s at %s, %s%s%s%s%s%u bytes\n", text,
		packet->point->text, packet->event->dir < 3 ? dirs[packet->event->dir] : "",
		device[0] ? "on " : "", device,
		words_tunnel(tunnel, sizeof(tunnel), packet->facts.dev_kind), device[0] ? ", " : "",
		packet->facts.len);
	print_conclusions(graph, at, packet->event);
}

void packet_graph_set_packets(struct packet_graph *graph, struct packets *const *packets)
{
	graph->packets = packets;
}

void packet_graph_set_whole(struct packet_graph *graph, uint64_t last)
{
	graph->is_whole = true;
	graph->last = last;
}

static void graph_handle_drop(void *data, const struct moment *at,
			      const struct packet_dropped *packet)
{
	struct packet_graph *graph = data;
	char line[SOURCE_LINE_LEN];

	if (packet->event->pkt != graph->number && !graph->is_whole)
		return;
	go_to(graph, at);
	print_held(graph);
	if (!packet->says_why && packet->place && packet->place->facts &&
	    packet->place->facts->frees_all) {
		fprintf(graph->out, "           >  #%u freed in %s, no reason given\n",
			packet->event->pkt, packet->place->text);
		return;
	}
	fprintf(graph->out, "%s           >  #%u dropped in %s", graph->drop_mark,
		packet->event->pkt, packet->place ? packet->place->text : "?");
	if (packet_dropped_line(packet, line))
		fprintf(graph->out, "+0x%x (%s)", packet->offset, line);
	else if (packet->place && packet->offset &&
		 !cause_is_known(packet->facts.why, packet->place->text))
		fprintf(graph->out, "+0x%x", packet->offset);
	fprintf(graph->out, ": %s\n", packet->facts.why);
}

static void graph_handle_decision(void *data, const struct moment *at,
				  const struct packet_decided *packet)
{
	struct decision decision = {
		.facts = packet->facts,
		.by = packet->by,
		.socket = packet->socket,
	};
	struct packet_graph *graph = data;
	const struct packet *model;
	const struct copy *copy;

	if (packet->pkt != graph->number && !(graph->is_whole && packet->pkt))
		return;
	model = graph->packets ? packets_find(*graph->packets, packet->pkt) : NULL;
	copy = model ? copies_find(model, packet->copy) : NULL;
	decision.is_reverse = copy && decision_is_reverse(&packet->facts, &copy->flow_now);
	go_to(graph, at);
	print_held(graph);
	print_decision(graph, packet->pkt, &decision);
}

static void graph_handle_program(void *data, const struct moment *at,
				 const struct packet_program *packet)
{
	const struct program_facts *facts = &packet->facts;
	struct program_facts named = *facts;
	struct packet_graph *graph = data;
	char program[PROGRAM_TEXT_LEN], target[TARGET_TEXT_LEN];

	if (packet->pkt != graph->number && !graph->is_whole)
		return;
	go_to(graph, at);
	print_held(graph);
	fputs("           >  ", graph->out);
	if (packet->pkt)
		fprintf(graph->out, "#%u ", packet->pkt);
	/*
	 * Print the name of the program of this event, even if it is not known which one of several programs
	 * refused the packet.
	 */
	named.candidates = 0;
	fprintf(graph->out, "%s", words_program(program, &named));
	if (!program_is_classic(facts))
		fprintf(graph->out, ", tag %s", facts->tag);
	if (facts->candidates > 1)
		fprintf(graph->out, ": one of %u programs, some of which refused the packet\n",
			facts->candidates);
	else if (facts->candidates)
		fputs(": refused the packet\n", graph->out);
	else if (program_result(facts))
		fprintf(graph->out, ": %s%s\n", program_result(facts), words_target(target, facts));
	else
		fprintf(graph->out, ": %d\n", facts->result);
}

static enum owner owner_of(const struct packet_graph *graph, const struct function *function,
			   const struct stack *stack)
{
	if (graph->is_whole)
		return function->name->gate ? NOT_SHOWN : OURS;
	if (function->pkt == graph->number)
		return function->name->gate ? NOT_SHOWN : OURS;
	if (stack->n && stack->v[stack->n - 1].pkt == OURS)
		return OTHERS;
	return NOT_SHOWN;
}

static void graph_handle_entry(void *data, const struct moment *at, const struct function *function)
{
	struct packet_graph *graph = data;
	struct stack *stack = stacks_find(&graph->stacks, at->pid, at->cpu, true);
	uint32_t above = 0;
	enum owner owner;

	if (!stack || stack->n == STACK_DEPTH)
		return;
	owner = owner_of(graph, function, stack);
	if (stack->n)
		above = stack->v[stack->n - 1].copy;
	stack->v[stack->n++] = (struct open_function){
		.depth = function->depth,
		.name = function->name,
		.entered = at->ts,
		.pkt = owner,
		.copy = function->pkt,
		.starts = function->starts,
	};
	if (owner != OURS)
		return;
	go_to(graph, at);
	print_held(graph);
	if (!graph->open_graphs++)
		graph->base = function->depth;
	graph->held = function->name;
	graph->held_depth = function->depth;
	graph->held_pkt = graph->is_whole && function->pkt != above ? function->pkt : 0;
}

static enum owner pop_function(struct packet_graph *graph, const struct moment *at,
			       const struct function *function)
{
	struct stack *stack = stacks_find(&graph->stacks, at->pid, at->cpu, false);
	enum owner owner;

	if (!stack || !stack->n || stack->v[stack->n - 1].depth != function->depth)
		return NOT_SHOWN;
	owner = stack->v[--stack->n].pkt;
	if (owner == OURS)
		graph->open_graphs--;
	return owner;
}

static void graph_handle_exit(void *data, const struct moment *at, const struct function *function)
{
	struct packet_graph *graph = data;
	enum owner owner = pop_function(graph, at, function);
	char more[32];

	if (owner == NOT_SHOWN)
		return;
	go_to(graph, at);
	if (owner == OTHERS) {
		print_held(graph);
		if (function->pkt)
			snprintf(more, sizeof(more), "(); /* #%u */", function->pkt);
		else
			snprintf(more, sizeof(more), "(); /* not its own */");
		print_line(graph, &function->total, function->depth, function->name->text, more);
		return;
	}
	if (graph->held == function->name && graph->held_depth == function->depth) {
		print_line(graph, &function->total, function->depth, function->name->text, "();");
		graph->held = NULL;
		return;
	}
	print_held(graph);
	print_line(graph, &function->total, function->depth, "}", "");
}

static void graph_handle_abandoned(void *data, const struct moment *at,
				   const struct function *function)
{
	struct packet_graph *graph = data;

	if (pop_function(graph, at, function) == OURS) {
		print_held(graph);
		print_line(graph, NULL, function->depth, "}", " /* its end is not recorded */");
	}
}

static void graph_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct packet_graph *graph = data;
	char time[TIME_LEN];

	/*
	 * Ignore a loss of rows that begins before the last row of the packet. Also ignore it if the packet
	 * has no row yet.
	 */
	if (!graph->seen || from < graph->last)
		return;
	(void)count;
	print_held(graph);
	fprintf(graph->out, "-- %s  CPU %d  rows are lost here\n", words_time(time, at->ts),
		hosts_cpu_of_cpu(at->cpu));
	graph->printing = false;
}

static void graph_handle_missing(void *data, const struct moment *at,
				 const struct calls_missing *calls)
{
	struct packet_graph *graph = data;

	if (calls->pkt != graph->number)
		return;
	go_to(graph, at);
	print_held(graph);
	fprintf(graph->out,
		"           >  %llu call%s missing here: function_graph's return stack was full\n",
		(unsigned long long)calls->calls, calls->calls == 1 ? " is" : "s are");
}

const struct observer packet_graph_observer = {
	.packet = graph_handle_probe,
	.program = graph_handle_program,
	.decided = graph_handle_decision,
	.dropped = graph_handle_drop,
	.entered = graph_handle_entry,
	.left = graph_handle_exit,
	.abandoned = graph_handle_abandoned,
	.missing = graph_handle_missing,
	.lost = graph_handle_loss,
};

bool packet_graph_end(struct packet_graph *graph)
{
	print_held(graph);
	return graph->seen;
}

bool packet_graph_is_complete(struct packet_graph *graph, const struct moment *at)
{
	const struct stack *stack = stacks_find(&graph->stacks, at->pid, at->cpu, false);

	return !stack || !stack->n;
}

uint64_t packet_graph_last(const struct packet_graph *graph)
{
	return graph->last;
}

void packet_graph_print_reset(const struct reset *reset)
{
	char text[RESET_LEN];

	if (reset)
		printf("-- #%u is %s, %s\n", reset->packet,
		       reset->is_tcp ? "a TCP reset" : "an ICMP error",
		       words_reset(text, reset, true));
}
