// SPDX-License-Identifier: GPL-2.0
/* reset_text.c - describe the origin of a TCP reset or an ICMP error */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hosts/hosts.h"
#include "escape.h"
#include "model/packet_headers.h"
#include "model/resets.h"

struct text {
	char *buf;
	size_t len;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
	const size_t room = RESET_LEN - text->len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, room, format, args);
	va_end(args);
	if (n > 0)
		text->len += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_probes(struct text *text, const struct reset *reset)
{
	add(text, " (%u without an answer", reset->probes);
	if (reset->user_timeout)
		add(text, ", TCP_USER_TIMEOUT %u ms", reset->user_timeout);
	add(text, ")");
}

/*
 * Add the reason why close() has sent a reset. The kernel has three such reasons, and Linux before 6.10 does
 * not report which of them applies. The reason is unread data if bytes were not read, or if close() has freed
 * segments with data.
 */
static void add_close(struct text *text, const struct reset *reset, bool with_numbers)
{
	const char *reason = reset->reason;

	if (reset->unread_bytes && with_numbers)
		add(text, ": closed with %u unread byte%s", reset->unread_bytes,
		    reset->unread_bytes == 1 ? "" : "s");
	else if (reset->unread || reset->unread_bytes || !strcmp(reason, "TCP_ABORT_ON_CLOSE"))
		add(text, ": closed with unread data");
	else if (!strcmp(reason, "TCP_ABORT_ON_LINGER"))
		add(text, ": closed with a negative TCP_LINGER2");
	else if (!strcmp(reason, "TCP_ABORT_ON_MEMORY"))
		add(text, ": closed with too many orphaned sockets, or without enough memory");
	else
		add(text,
		    ": closed with unread data, with a negative TCP_LINGER2, or with too many "
		    "orphaned sockets");
	if (reset->unread && with_numbers)
		add(text, " (#%u)", reset->unread);
}

const char *words_reset(char *buf, const struct reset *reset, bool with_numbers)
{
	static const char *const causes[] = {
		[RESET_DISCONNECT] = "closed at once (SO_LINGER with no time), or disconnected",
		[RESET_ABORT] = "the socket was destroyed",
		[RESET_LISTENER] =
			"the listener was closed while the connection waited in its accept queue",
		[RESET_NO_SOCKET] = "no socket, or a packet that does not fit to its connection",
		[RESET_REJECT] = "a rule of netfilter: reject",
		[RESET_TIMER] = "a timer of TCP ran out",
		[RESET_KEEPALIVE] = "the peer did not answer keepalive probes",
		[RESET_FIN_WAIT] = "this end was closed, and the other end was not closed in time "
				   "(net.ipv4.tcp_fin_timeout, TCP_LINGER2)",
		[RESET_ORPHANS] = "too many sockets without a process, or not enough memory "
				  "(net.ipv4.tcp_max_orphans, net.ipv4.tcp_mem)",
	};
	char reason[ESCAPED_LEN(RESET_REASON_LEN)];
	char comm[ESCAPED_LEN(TASK_NAME_LEN)], host[ON_HOST_LEN];
	struct text text = { .buf = buf };

	*buf = '\0';
	if (reset->came_in) {
		add(&text, "received; the recording does not show its sender");
		return buf;
	}
	add(&text, "sent");
	if (reset->pid)
		add(&text, " by %s", escape_text(comm, sizeof(comm), reset->comm));
	if (reset->pid && with_numbers)
		add(&text, "-%d%s", hosts_pid_of_task(reset->pid), words_on_host(host, reset->pid));
	if (reset->call)
		add(&text, " in %s", reset->call->text);
	if (reset->answers && with_numbers)
		add(&text, " in answer to #%u", reset->answers);
	else if (reset->answers)
		add(&text, " in answer to a packet");
	if (!reset->pid && !reset->answers)
		add(&text, "%s by this machine",
		    reset->is_local || reset->cause ? "" : " or forwarded");
	escape_text(reason, sizeof(reason), reset->reason);
	/* The kernel's reason is more precise than RESET_NO_SOCKET. */
	if (reset->cause == RESET_NO_SOCKET && *reason) {
		add(&text, ": the kernel's reason: %s", reason);
		return buf;
	}
	if (reset->cause == RESET_CLOSE)
		add_close(&text, reset, with_numbers);
	else if (reset->cause)
		add(&text, ": %s", causes[reset->cause]);
	if (reset->cause == RESET_KEEPALIVE && with_numbers)
		add_probes(&text, reset);
	if (*reason)
		add(&text, "%s the kernel's reason: %s", reset->cause ? ";" : ":", reason);
	return buf;
}
const char *reset_command(char *buf, const struct reset *reset)
{
	static const struct cause causes[] = {
		[RESET_CLOSE] = { .shows = "nstat -asz TcpExtTCPAbortOnClose" },
		[RESET_DISCONNECT] = { .shows = "nstat -asz TcpExtTCPAbortOnData" },
		[RESET_NO_SOCKET] = { .shows = "ss -tanp 'sport = :%P'; nstat -asz TcpOutRsts" },
		[RESET_REJECT] = { .shows = "nft -a list ruleset; ip%6tables-legacy-save -c" },
		[RESET_KEEPALIVE] = { .shows = "nstat -asz TcpExtTCPAbortOnTimeout; sysctl "
					       "net.ipv4.tcp_keepalive_time "
					       "net.ipv4.tcp_keepalive_probes" },
		[RESET_FIN_WAIT] = { .shows = "sysctl net.ipv4.tcp_fin_timeout" },
		[RESET_ORPHANS] = { .shows =
					    "nstat -asz TcpExtTCPAbortOnMemory; cat /proc/net/sockstat" },
	};
	const struct about about = { .flow = &reset->flow };

	/* The kernel does not count disconnections by connect(AF_UNSPEC). */
	if (reset->came_in || reset->cause >= sizeof(causes) / sizeof(causes[0]) ||
	    (reset->cause == RESET_DISCONNECT && reset->call &&
	     strstr(reset->call->text, "connect")))
		return NULL;
	return cause_command(buf, &causes[reset->cause], &about);
}
