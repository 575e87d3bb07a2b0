// SPDX-License-Identifier: GPL-2.0
/* rule_texts.c - write the texts of the nftables rules that dropped packets into the recording */
#include <fcntl.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "module/module.h"
#include "filter/netns.h"
#include "recorder/processes.h"
#include "record_skb.h"
#include "filter/rule_texts.h"
#include "text.h"

/*
 * Size of the buffer of each CPU in the second tracing instance, which records events of rules that drop
 * packets. If an event is overwritten before it is read, its rule gets no text.
 */
#define BUFFER_KB "64"
/*
 * Filter for these events: only rules with the verdict NF_DROP or NF_QUEUE. An event without a handle is
 * about the policy of a chain, which has no text.
 */
#define THROWN_AWAY    "(verdict==0||verdict==3)&&handle!=0"
#define MAX_RULES      256
#define MAX_NAMESPACES 64
/* Maximum length of a rule's text. A line in trace_marker can have at least 1024 bytes. */
#define TEXT_LEN 800
/*
 * Time limits for one call of nft(8), and for all calls together. They are needed because any user who has a
 * network namespace can create tables that nft needs minutes to list. After a call has reached its limit, nft
 * is not called again in that namespace.
 */
#define NFT_MSEC     5000
#define ALL_NFT_MSEC 15000

struct rule {
	unsigned int netns, family;
	unsigned long long handle;
	char *table, *chain;
};

/*
 * Generation of the rules in a network namespace. @id is a number that the kernel changes with each change of
 * the rules.
 */
struct generation {
	unsigned int netns, id;
};

struct rule_texts {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	struct generation generations[MAX_NAMESPACES];
	size_t nr_generations;
	struct rule rules[MAX_RULES];
	size_t nr_rules;
	long long deadline;
	unsigned int nr_unlisted;
};

/*
 * Return the generation number of the rules in this process's network namespace; 0 if the number is unknown.
 */
static unsigned int generation_here(void)
{
	struct {
		struct nlmsghdr header;
		struct nfgenmsg gen;
	} ask = {
		.header = { .nlmsg_len = sizeof(ask),
			    .nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETGEN,
			    .nlmsg_flags = NLM_F_REQUEST },
		.gen = { .version = NFNETLINK_V0 },
	};
	struct {
		struct nlmsghdr header;
		struct nfgenmsg gen;
		char attributes[256];
	} answer;
	const struct nlattr *attribute;
	const struct timeval limit = { .tv_sec = 1 };
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
	unsigned int id = 0;
	ssize_t n = -1;

	if (fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) &&
	    send(fd, &ask, sizeof(ask), 0) == sizeof(ask))
		n = recv(fd, &answer, sizeof(answer), 0);
	if (fd >= 0)
		close(fd);
	if (n < 0 || answer.header.nlmsg_type != (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWGEN))
		return 0;
	for (size_t at = 0; (char *)&answer + n >= answer.attributes + at + sizeof(*attribute) + 4;
	     at += NLA_ALIGN(attribute->nla_len)) {
		attribute = (const struct nlattr *)(answer.attributes + at);
		if (attribute->nla_type == NFTA_GEN_ID) {
			memcpy(&id, attribute + 1, sizeof(id));
			break;
		}
		if (attribute->nla_len < sizeof(*attribute))
			break;
	}
	return id;
}

static unsigned int netns_here(void)
{
	struct err err;
	const int fd = netns_open_own(&err);
	const unsigned int inode = fd < 0 ? 0 : netns_inode(fd);

	if (fd >= 0)
		close(fd);
	return inode;
}

static void note_generation(const char *name, void *data)
{
	struct rule_texts *texts = data;

	(void)name;
	if (texts->nr_generations < MAX_NAMESPACES)
		texts->generations[texts->nr_generations++] =
			(struct generation){ .netns = netns_here(), .id = generation_here() };
}

/*
 * Return true if the rules of the network namespace @netns have not changed since the recording began. @id:
 * their generation number now.
 */
static bool same_generation(const struct rule_texts *texts, unsigned int netns, unsigned int id)
{
	for (size_t i = 0; i < texts->nr_generations; i++)
		if (texts->generations[i].netns == netns)
			return id && texts->generations[i].id == id;
	return false;
}

static void instance_end(struct rule_texts *texts)
{
	if (!texts->instance)
		return;
	tracefs_event_disable(texts->instance, RECORD_SKB_MODULE, "rule");
	tracefs_instance_destroy(texts->instance);
	tracefs_instance_free(texts->instance);
}

static int instance_begin(struct rule_texts *texts)
{
	static const char *const systems[] = { RECORD_SKB_MODULE, NULL };

	texts->instance = tracefs_instance_create(RULE_TEXTS_INSTANCE);
	if (!texts->instance)
		return -1;
	/* If the instance existed before, it belongs to another user. Do not use it. */
	if (!tracefs_instance_is_new(texts->instance)) {
		tracefs_instance_free(texts->instance);
		texts->instance = NULL;
		return -1;
	}
	texts->tep = tracefs_local_events_system(NULL, systems);
	if (!texts->tep ||
	    tracefs_instance_file_write(texts->instance, "buffer_size_kb", BUFFER_KB) < 0 ||
	    tracefs_instance_file_write(texts->instance, "events/" RECORD_SKB_MODULE "/rule/filter",
					THROWN_AWAY) < 0 ||
	    tracefs_event_enable(texts->instance, RECORD_SKB_MODULE, "rule"))
		return -1;
	return 0;
}

struct rule_texts *rule_texts_begin(void)
{
	struct rule_texts *texts;

	/*
	 * Without the module nf_tables, there are no rules. Do not ask for their generation then, because the
	 * question would load the module.
	 */
	if (!module_is_there("nf_tables"))
		return NULL;
	texts = calloc(1, sizeof(*texts));
	if (!texts)
		return NULL;
	if (instance_begin(texts)) {
		rule_texts_end(texts, NULL);
		return NULL;
	}
	netns_each(note_generation, texts);
	return texts;
}

/* The functions below collect the rules from the events. */

static bool is_plain(const char *name)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";

	/*
	 * Reject a name that begins with "-", because nft would parse it as an option. An option of nft can
	 * load a file.
	 */
	return *name && *name != '-' && strspn(name, plain) == strlen(name);
}

static char *text_of(const struct tep_event *event, struct tep_record *record, const char *field)
{
	int len;
	const char *text =
		tep_get_field_raw(NULL, (struct tep_event *)event, field, record, &len, 0);

	return text ? strndup(text, len) : NULL;
}

static unsigned long long number_of(const struct tep_event *event, struct tep_record *record,
				    const char *field)
{
	unsigned long long value = 0;

	tep_get_field_val(NULL, (struct tep_event *)event, field, record, &value, 0);
	return value;
}

static bool same_rule(const struct rule *a, const struct rule *b)
{
	return a->netns == b->netns && a->family == b->family && a->handle == b->handle &&
	       !strcmp(a->table, b->table) && !strcmp(a->chain, b->chain);
}

static void add_rule(struct rule_texts *texts, const struct rule *rule)
{
	bool known = texts->nr_rules == MAX_RULES || !rule->table || !rule->chain ||
		     !is_plain(rule->table) || !is_plain(rule->chain);

	for (size_t i = 0; i < texts->nr_rules && !known; i++)
		known = same_rule(&texts->rules[i], rule);
	if (!known) {
		texts->rules[texts->nr_rules++] = *rule;
		return;
	}
	free(rule->table);
	free(rule->chain);
}

static int note_rule(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	const struct rule rule = {
		.netns = number_of(event, record, "netns"),
		.family = number_of(event, record, "family"),
		.handle = number_of(event, record, "handle"),
		.table = text_of(event, record, "table"),
		.chain = text_of(event, record, "chain"),
	};

	(void)cpu;
	add_rule(data, &rule);
	return 0;
}

/* The functions below ask nft(8) for the texts of the rules. */

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Append a line to @text. Replace each sequence of white space by one blank. */
static void append_words(char *text, const char *line)
{
	size_t len = strlen(text);

	for (; *line && len + 2 < TEXT_LEN; line++) {
		if (!strchr(" \t\n", *line))
			text[len++] = *line;
		else if (len && text[len - 1] != ' ')
			text[len++] = ' ';
		text[len] = '\0';
	}
}

/*
 * Parse a line of nft's output. A rule, such as "tcp dport 9000 drop", can have several lines. A comment at
 * its end contains its handle. Return true if this line is the last one of the rule with the handle @handle;
 * then @text is the rule.
 */
static bool take_line(char *text, char *line, unsigned long long handle)
{
	char *comment = strstr(line, " # handle ");
	const bool is_ours = comment &&
			     strtoull(comment + strlen(" # handle "), NULL, 10) == handle;
	const size_t len = strcspn(line, "\n");

	if (comment && !is_ours) {
		text[0] = '\0';
		return false;
	}
	if (comment)
		*comment = '\0';
	append_words(text, line);
	if (!comment && len && strchr(";{}", line[len - 1]))
		text[0] = '\0';
	return is_ours;
}

struct question {
	const struct rule *rule;
	char *text;
	bool found;
};

static bool take_answer(char *line, void *data)
{
	struct question *question = data;

	question->found = take_line(question->text, line, question->rule->handle);
	return question->found;
}

/*
 * Ask nft(8) for the text of a rule. The caller must have entered the rule's network namespace. If nft has
 * printed the rule, set *@found to true and @text to the rule. Return how nft ended.
 */
static enum command_end ask_for_text(char *text, const struct rule *rule, long long deadline,
				     bool *found)
{
	static const char *const families[] = {
		[1] = "inet", [2] = "ip", [3] = "arp", [5] = "netdev", [7] = "bridge", [10] = "ip6",
	};
	struct question question = { .rule = rule, .text = text };
	const long long left = deadline - now_msec();
	enum command_end end;

	*found = false;
	text[0] = '\0';
	if (rule->family >= sizeof(families) / sizeof(families[0]) || !families[rule->family])
		return COMMAND_FAILED;
	if (left <= 0)
		return COMMAND_LIMITED;
	end = limited_command_run((char *[]){ "nft", "-s", "-a", "list", "chain",
					      (char *)families[rule->family], rule->table,
					      rule->chain, NULL },
				  left < NFT_MSEC ? left : NFT_MSEC, take_answer, &question);
	*found = question.found;
	return end;
}

static void write_text(const struct rule_texts *texts, const struct rule *rule, const char *text)
{
	char *line = xasprintf(RECORD_SKB_MODULE
			       " rule netns=%u family=%u table=%s chain=%s handle=%llu sure=%u: %s",
			       rule->netns, rule->family, rule->table, rule->chain, rule->handle,
			       same_generation(texts, rule->netns, generation_here()), text);

	file_append("trace_marker", line);
	free(line);
}

static void write_texts(const char *name, void *data)
{
	struct rule_texts *texts = data;
	const unsigned int netns = netns_here();
	const struct rule *rule;
	char text[TEXT_LEN];
	bool found, limited = false;

	(void)name;
	for (rule = texts->rules; rule < texts->rules + texts->nr_rules; rule++) {
		if (rule->netns != netns)
			continue;
		if (!limited)
			limited = ask_for_text(text, rule, texts->deadline, &found) ==
				  COMMAND_LIMITED;
		if (limited)
			texts->nr_unlisted++;
		else if (found)
			write_text(texts, rule, text);
	}
}

void rule_texts_end(struct rule_texts *texts, unsigned int *nr_unlisted)
{
	if (!texts)
		return;
	if (texts->tep && texts->instance)
		tracefs_iterate_raw_events(texts->tep, texts->instance, NULL, 0, note_rule, texts);
	instance_end(texts);
	texts->deadline = now_msec() + ALL_NFT_MSEC;
	if (texts->nr_rules)
		netns_each(write_texts, texts);
	if (nr_unlisted)
		*nr_unlisted += texts->nr_unlisted;
	for (size_t i = 0; i < texts->nr_rules; i++) {
		free(texts->rules[i].table);
		free(texts->rules[i].chain);
	}
	tep_free(texts->tep);
	free(texts);
}
