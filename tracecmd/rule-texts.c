// SPDX-License-Identifier: GPL-2.0
/* The text of the rules of nftables that threw packets away, for the recording. */
#include <fcntl.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "module.h"
#include "netns.h"
#include "record_skb.h"
#include "rule-texts.h"
#include "strlist.h"

/* For each CPU; what is written over is not known. */
#define BUFFER_KB "64"
/* NF_DROP and NF_QUEUE by a rule: a policy has no handle. */
#define THROWN_AWAY    "(verdict==0||verdict==3)&&handle!=0"
#define MAX_RULES      256
#define MAX_NAMESPACES 64
/* A line of the marker has 1024 bytes at least. */
#define TEXT_LEN 800

struct rule {
	unsigned int netns, family;
	unsigned long long handle;
	char *table, *chain;
};

/* Of a namespace, how often its rules have been changed. */
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
};

/* Of the caller's namespace; 0 if it is not known. */
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
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
	unsigned int id = 0;
	ssize_t n = -1;

	if (fd >= 0 && send(fd, &ask, sizeof(ask), 0) == sizeof(ask))
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

/* Whether the rules here are those that were there at the beginning. */
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
	/* Somebody else's is left alone. */
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

	/* To ask for the generation would load it. */
	if (!module_is_there("nf_tables"))
		return NULL;
	texts = calloc(1, sizeof(*texts));
	if (!texts)
		return NULL;
	if (instance_begin(texts)) {
		rule_texts_end(texts);
		return NULL;
	}
	netns_each(note_generation, texts);
	return texts;
}

/* Which rules they were */

static bool is_plain(const char *name)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";

	return *name && strspn(name, plain) == strlen(name);
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

/* What they say */

/* In the namespace of the rules; what it prints. */
static FILE *list_chain(const struct rule *rule, pid_t *pid)
{
	static const char *const families[] = {
		[1] = "inet", [2] = "ip", [3] = "arp", [5] = "netdev", [7] = "bridge", [10] = "ip6",
	};
	int ends[2], null;

	if (rule->family >= sizeof(families) / sizeof(families[0]) || !families[rule->family] ||
	    pipe2(ends, O_CLOEXEC))
		return NULL;
	*pid = fork();
	if (!*pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(ends[1], 1);
		dup2(null, 2);
		execlp("nft", "nft", "-s", "-a", "list", "chain", families[rule->family],
		       rule->table, rule->chain, NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*pid > 0)
		return fdopen(ends[0], "re");
	close(ends[0]);
	return NULL;
}

/* White space is one blank; a line that is continued has none of this at its end. */
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

/* "tcp dport 9000 drop", of a line that ends with its handle; those in front of it may be its beginning. */
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

static bool ask_for_text(char *text, const struct rule *rule)
{
	char *line = NULL;
	bool found = false;
	size_t room = 0;
	FILE *printed;
	pid_t pid;

	text[0] = '\0';
	printed = list_chain(rule, &pid);
	if (!printed)
		return false;
	while (getline(&line, &room, printed) >= 0)
		found = found || take_line(text, line, rule->handle);
	free(line);
	fclose(printed);
	waitpid(pid, NULL, 0);
	return found;
}

static void write_texts(const char *name, void *data)
{
	const struct rule_texts *texts = data;
	const unsigned int netns = netns_here();
	char text[TEXT_LEN], *line;
	const struct rule *rule;

	(void)name;
	for (rule = texts->rules; rule < texts->rules + texts->nr_rules; rule++) {
		if (rule->netns != netns || !ask_for_text(text, rule))
			continue;
		line = xasprintf(
			RECORD_SKB_MODULE
			" rule netns=%u family=%u table=%s chain=%s handle=%llu sure=%u: %s",
			netns, rule->family, rule->table, rule->chain, rule->handle,
			same_generation(texts, netns, generation_here()), text);
		file_append("trace_marker", line);
		free(line);
	}
}

void rule_texts_end(struct rule_texts *texts)
{
	if (!texts)
		return;
	if (texts->tep && texts->instance)
		tracefs_iterate_raw_events(texts->tep, texts->instance, NULL, 0, note_rule, texts);
	instance_end(texts);
	if (texts->nr_rules)
		netns_each(write_texts, texts);
	for (size_t i = 0; i < texts->nr_rules; i++) {
		free(texts->rules[i].table);
		free(texts->rules[i].chain);
	}
	tep_free(texts->tep);
	free(texts);
}
