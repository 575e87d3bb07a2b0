// SPDX-License-Identifier: GPL-2.0
/*
 * names_test.c - test names that an attacker chooses. They must not control a terminal, and a shell must read
 * each name unchanged.
 */
#include <locale.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include <json-c/json.h>

#include "escape.h"
#include "output/json.h"
#include "why_output.h"

/* With another SEED, the test uses other names. */
#define NAMES 2000
/*
 * Number of names for shells other than sh. These shells start a process for each printf, so they are slow.
 */
#define FEW 200

static unsigned int below(unsigned int n)
{
	return random() % n;
}

/*
 * Write a random name. It can contain all bytes except NUL. Bytes with a meaning for a shell, a terminal or
 * printf are frequent. Half of the names are printable ASCII.
 */
static void invent(char *name, size_t max)
{
	static const char *const pieces[] = {
		"'",
		"\"",
		"`",
		"$",
		"$(",
		")",
		"\\",
		"\\'",
		"!",
		"!!",
		"*",
		"?",
		"[a]",
		"{a,b}",
		"~",
		"#",
		" #",
		"&",
		";",
		"|",
		"<",
		">",
		"=",
		" ",
		"\t",
		"\n",
		"\r",
		"\x1b[2J",
		"\x1b]0;x\a",
		"\x7f",
		"\xc2\x9b",
		"\x9b",
		"\xe2\x80\xae",
		"\xe2\x81\xa6",
		"\xe2\x80\x8b",
		"\xef\xbb\xbf",
		"\xc3\xbc",
		"\xe4\xb8\xad",
		"\xf0\x9f\x98\x80",
		"\xf3\xa0\x80\x81",
		"\xff",
		"\xc3",
		"\xe2\x80",
		"\xed\xa0\x80",
		"\xc0\x9b",
		"%s",
		"%n",
		"%%",
		"-",
		"--",
		"-n",
		"\\033",
		"\\n",
		"\\c",
		".",
		"..",
		"/",
		"@",
		":",
		"a",
		"eth0",
		"touch o",
	};
	const bool visible = below(2);
	const size_t wanted = 1 + below(max);
	size_t len = 0, n;

	while (len < wanted) {
		const char *piece = pieces[below(sizeof(pieces) / sizeof(pieces[0]))];

		if (below(3) || (visible && (strcspn(piece, "\t\n\r\x1b\x7f") < strlen(piece) ||
					     *piece & 0x80))) {
			name[len++] = visible ? ' ' + below(95) : 1 + below(255);
			continue;
		}
		n = strlen(piece);
		if (len + n > max)
			break;
		memcpy(name + len, piece, n);
		len += n;
	}
	if (!len)
		name[len++] = 'a';
	name[len] = '\0';
}

/*
 * Check that all characters of the text are safe. Use the tables of the C library, because the tested code
 * has its own tables.
 */
static void assert_is_safe(const char *text)
{
	mbstate_t state = { 0 };
	wchar_t c;
	size_t n;

	for (; *text; text += n) {
		n = mbrtowc(&c, text, strlen(text), &state);
		if (n > strlen(text) || iswcntrl(c) || (c >= 0x200b && c <= 0x200f) ||
		    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
		    (c >= 0xe0000 && c <= 0xe0fff))
			fail_msg("not safe: %s", text);
	}
}

static void no_terminal_obeys(void **state)
{
	char name[64], text[ESCAPED_LEN(63)], twice[ESCAPED_LEN(63)], cut[20];

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		invent(name, sizeof(name) - 1);
		escape_text(text, sizeof(text), name);
		assert_is_safe(text);
		assert_string_equal(escape_text(twice, sizeof(twice), text), text);
		escape_text(cut, 1 + below(sizeof(cut)), name);
		assert_is_safe(cut);
		assert_int_equal(strncmp(cut, text, strlen(cut)), 0);
	}
	assert_string_equal(escape_text(text, sizeof(text),
					"\x1b[1m\xc2\x9b\xff\xe2\x80\xae\xc3\xbc\n"),
			    "\\x1b[1m\\u009b\\xff\\u202e\xc3\xbc\\x0a");
}

/* Packets. */

static const struct flow flow = {
	.family = FLOW_INET, .proto = 17, .sport = 4000, .dport = 53, .saddr = { 1 }, .daddr = { 2 }
};

static const struct name qdisc = { .text = "__dev_queue_xmit" };

static void drop_one(const char *device, const char *reason, const struct rule_facts *rule)
{
	const struct moment at = { .ts = 1000000 };
	const struct skb_event event = { .pkt = 1, .flow = flow, .dir = RECORD_SKB_DIR_RX };
	struct packet_seen seen = { .event = &event, .point = &qdisc, .placed = true };
	struct packet_dropped dropped = {
		.event = &event, .place = &qdisc, .says_why = true, .at_work = true
	};

	strncpy(seen.facts.dev, device, DEVICE_NAME_LEN);
	packets_observer.packet(packets, &at, &seen);
	if (rule) {
		const struct packet_ruled ruled = { .event = &event, .facts = *rule };

		explanations_observer.ruled(explanations, &at, &ruled);
	}
	strcpy(dropped.facts.why, reason);
	packets_observer.dropped(packets, &at, &dropped);
}

/* Return: the output of --why, valid until the next call. */
static const char *say_why(const char *device, const char *reason, const struct rule_facts *rule)
{
	begin_why();
	drop_one(device, reason, rule);
	return end_why();
}

/* Return: a copy of the command that --why suggests in @text, or NULL. The caller must free it. */
static char *command_in(const char *text)
{
	const char *see = strstr(text, "\n    see: ");

	return see ? strndup(see + strlen("\n    see: "), strcspn(see + 1, "\n") - 9) : NULL;
}

/* Shell functions that replace the commands. They print their arguments, each followed by NUL. */
static const char functions[] =
	"for_all() { printf '%s\\000' \"$@\"; printf '\\n\\000'; }\n"
	"tc() { for_all \"$@\"; }; nft() { for_all \"$@\"; }; sysctl() { for_all \"$@\"; }\n";

static char names[NAMES][64];
static bool has_command[NAMES];

/* Run a script with @shell. Return: its output, which the caller must free. */
static char *run_script(const char *shell, const char *script, size_t *len)
{
	char command[64], *out = NULL;
	FILE *pipe, *copy;
	int c;

	snprintf(command, sizeof(command), "exec %s %s 2>&1", shell, script);
	pipe = popen(command, "r");
	copy = open_memstream(&out, len);
	while ((c = getc(pipe)) != EOF)
		putc(c, copy);
	pclose(pipe);
	fclose(copy);
	return out;
}

/*
 * Check that the shell reads the first @n names unchanged. Each command in the script has the words @before
 * in front of the name.
 */
static void shell_reads(const char *shell, const char *script, int n, const char *const *before)
{
	size_t len;
	char *out = run_script(shell, script, &len), *at = out;

	for (int i = 0; i < n; i++) {
		if (!has_command[i])
			continue;
		for (const char *const *word = before; *word; word++, at += strlen(at) + 1)
			assert_string_equal(at, *word);
		assert_string_equal(at, names[i]);
		at += strlen(at) + 1;
		assert_string_equal(at, "\n");
		at += 2;
	}
	assert_ptr_equal(at, out + len);
	free(out);
	assert_int_not_equal(access("o", F_OK), 0);
}

static bool is_there(const char *shell)
{
	char command[64];

	snprintf(command, sizeof(command), "%s -c : >/dev/null 2>&1", shell);
	return !system(command);
}

static void shells_read(const char *const *before)
{
	static const char *const shells[] = { "dash", "bash", "busybox sh", "zsh" };

	shell_reads("sh", "script", NAMES, before);
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (is_there(shells[i]))
			shell_reads(shells[i], "few", FEW, before);
	}
}

static void write_command(FILE *script, FILE *few, int i, const char *command)
{
	fprintf(script, "%s\n", command);
	if (i < FEW)
		fprintf(few, "%s\n", command);
}

/* Write a shell script with a command for each name. Return: the number of names that have a command. */
static unsigned int write_script(const char *reason)
{
	FILE *script = fopen("script", "w"), *few = fopen("few", "w");
	unsigned int n = 0;

	fputs(functions, script);
	fputs(functions, few);
	for (int i = 0; i < NAMES; i++) {
		const char *text;
		char *command;

		invent(names[i], DEVICE_NAME_LEN);
		text = say_why(names[i], reason, NULL);
		for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
			char *copy = strndup(line, strcspn(line, "\n"));

			assert_is_safe(copy);
			free(copy);
		}
		command = command_in(text);
		has_command[i] = command;
		n += has_command[i];
		if (command)
			write_command(script, few, i, command);
		free(command);
	}
	fclose(script);
	fclose(few);
	return n;
}

static void a_shell_reads_devices(void **state)
{
	static const char *const qdisc_words[] = { "-s", "qdisc", "show", "dev", NULL };

	(void)state;
	/* A command cannot be printed for a name that ends with a newline, but no device has such a name. */
	assert_true(write_script("QDISC_OVERLIMIT") > NAMES * 97 / 100);
	shells_read(qdisc_words);
}

static void a_shell_reads_commands(void **state)
{
	static const char *const none[] = { NULL };
	FILE *script = fopen("script", "w"), *few = fopen("few", "w");
	char word[SHELL_WORD_LEN(63)], command[SHELL_WORD_LEN(63) + 16];

	(void)state;
	fputs(functions, script);
	fputs(functions, few);
	for (int i = 0; i < NAMES; i++) {
		invent(names[i], sizeof(names[i]) - 1);
		has_command[i] = escape_shell(word, sizeof(word), names[i]);
		assert_int_equal(has_command[i], names[i][strlen(names[i]) - 1] != '\n');
		if (!has_command[i])
			continue;
		assert_is_safe(word);
		snprintf(command, sizeof(command), "for_all %s", word);
		write_command(script, few, i, command);
		assert_null(escape_shell(word, strlen(word), names[i]));
	}
	fclose(script);
	fclose(few);
	shells_read(none);
}

/*
 * nft has no quotes, so a command of nft cannot contain most names. For an object with such a name, the
 * command must show all rules of the family.
 */
static void nft_gets_names_that_it_reads(void **state)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char others[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789/.-";
	struct rule_facts rule = { .type = RULE_RULE, .family = 1, .handle = 7, .chain = "o" };
	char wanted[512], *command;
	bool plain;

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		if (i % 2)
			invent(rule.table, 40);
		else
			snprintf(rule.table, sizeof(rule.table), "%c%u.a", "aZ_.-/9"[below(7)],
				 below(100));
		plain = strchr(letters, rule.table[0]) &&
			strspn(rule.table, others) == strlen(rule.table);
		snprintf(wanted, sizeof(wanted),
			 plain ? "nft -a list chain inet %s o" : "nft -a list ruleset inet",
			 rule.table);
		command = command_in(say_why("lo", "NETFILTER_DROP", &rule));
		assert_string_equal(command, wanted);
		free(command);
		for (char *line = strtok(printed, "\n"); line; line = strtok(NULL, "\n"))
			assert_is_safe(line);
	}
}

/*
 * JSON output must contain each name unchanged. Only bytes that are not UTF-8 are replaced. There must be
 * no control characters.
 */
static void json_has_the_name(void **state)
{
	static const char *const device[] = { "\x1b[2J\x07", "\xc2\x9bx\x7f",
					      "\xe2\x80\xae"
					      "abc",
					      "\xf3\xa0\x80\x81", "q\"\\" };
	struct json_object *object, *path, *name;

	(void)state;
	for (size_t i = 0; i < sizeof(device) / sizeof(device[0]); i++) {
		begin_printed();
		packets = packets_new(&json_output, &packets, NULL);
		drop_one(device[i], "QDISC_OVERLIMIT", NULL);
		packets_end(packets);
		end_printed();
		packets_free(packets);
		printed[strcspn(printed, "\n")] = '\0';
		assert_is_safe(printed);
		object = json_tokener_parse(printed);
		assert_true(json_object_object_get_ex(object, "path", &path));
		path = json_object_array_get_idx(path, 0);
		assert_true(json_object_object_get_ex(path, "device", &name));
		assert_string_equal(json_object_get_string(name), device[i]);
		json_object_put(object);
	}
}

static int begin(void **state)
{
	const char *seed = getenv("SEED");

	(void)state;
	/* Use the same names in each run, unless SEED is set. */
	srandom(seed ? strtoul(seed, NULL, 10) : 38);
	print_message("# seed %s\n", seed ? seed : "38");
	return !setlocale(LC_CTYPE, "C.UTF-8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_terminal_obeys),
		cmocka_unit_test(a_shell_reads_commands),
		cmocka_unit_test(a_shell_reads_devices),
		cmocka_unit_test(nft_gets_names_that_it_reads),
		cmocka_unit_test(json_has_the_name),
	};

	return cmocka_run_group_tests(tests, begin, free_printed);
}
