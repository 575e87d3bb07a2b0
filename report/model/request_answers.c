// SPDX-License-Identifier: GPL-2.0
/* request_answers.c - find the answer to each request of a client, for --assert */
#include <stdlib.h>

#include "hash_table.h"
#include "model/packet_headers.h"
#include "model/pings.h"
#include "model/request_answers.h"

/*
 * A flow, and the last request in it. @asked is the time of this request; 0 for no request. @first_end and
 * @end are the TCP sequence numbers after the first and the last segment of the request. @message identifies
 * the datagram of a request over UDP, 0 if not known. @answer is the number of the first packet of the
 * answer; @began and @last are the times of its first and last packet. @has_all is true if the server had the
 * whole request when it sent a packet of the answer.
 */
struct talk {
	struct flow opener;
	bool client_known, is_counted;
	unsigned int client; /* direction of the packets that the client sends */
	uint32_t syn;	     /* sequence number of the last SYN */
	bool has_syn, is_connect, has_closed, has_all;
	uint32_t request, first_end, end, answer;
	uint64_t message, asked, began, last;
};

struct request_answers {
	answered_callback *each;
	void *data;
	struct table talks; /* table of struct talk, by number of the flow */
	struct table pings; /* echo requests do not use the members of struct talk for a request */
	const struct lost_events *losses; /* NULL if not known */
	struct request_counts counts;
};

struct request_answers *request_answers_new(answered_callback *each, void *data)
{
	struct request_answers *answers = calloc(1, sizeof(*answers));

	if (!answers)
		return NULL;
	answers->each = each;
	answers->data = data;
	answers->pings = pings_table();
	return answers;
}

void request_answers_free(struct request_answers *answers)
{
	if (!answers)
		return;
	table_free(&answers->talks);
	table_free(&answers->pings);
	free(answers);
}

void request_answers_set_losses(struct request_answers *answers, const struct lost_events *losses)
{
	answers->losses = losses;
}

static bool is_tcp(const struct copy *first)
{
	return first->flow.proto == PROTO_TCP;
}

static bool is_syn(const struct copy *first)
{
	return is_tcp(first) && first->tcp_flags & TCP_SYN;
}

static bool opens_connection(const struct copy *first)
{
	return is_syn(first) && !(first->tcp_flags & TCP_ACK);
}

/* Return: true if the packet's headers show that a server sent it: it is an echo reply or a SYN-ACK. */
static bool answers_opening(const struct copy *first)
{
	if (first->flow.has_icmp)
		return first->flow.icmp_type == 0 || first->flow.icmp_type == 129;
	return is_syn(first) && first->tcp_flags & TCP_ACK;
}

static int32_t payload_of(const struct packet *packet)
{
	return packet->decided->payload >= 0 ? packet->decided->payload :
					       packet->copies[0]->payload;
}

/*
 * Return: true if the packet belongs to a request or an answer. Such a packet is an echo message, or has
 * data that were not sent before.
 */
static bool is_message(const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	if (first->flow.has_icmp)
		return first->flow.icmp_type == 8 || first->flow.icmp_type == 0 ||
		       first->flow.icmp_type == 128 || first->flow.icmp_type == 129;
	return !first->again && payload_of(packet) > 0;
}

/*
 * Return: the flow of the packet; NULL if the flow is not known. If the flow is new and the packet is
 * selected, the function adds the flow. The client of a TCP connection is the sender of the SYN. The client
 * of another flow is the sender of the first packet.
 */
static struct talk *talk_of(struct request_answers *answers, const struct packet *packet,
			    bool is_chosen)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *first = packet->copies[0];
	struct talk *talk = table_find(&answers->talks, key);

	if (talk || !is_chosen)
		return talk;
	talk = table_add(&answers->talks, key, calloc(1, sizeof(*talk)));
	if (!talk)
		return NULL;
	talk->opener = first->flow;
	talk->client_known = !is_tcp(first) || is_syn(first);
	talk->client = is_syn(first) && first->tcp_flags & TCP_ACK;
	return talk;
}

static void count_unanswered(struct request_counts *counts, uint32_t request)
{
	if (!counts->unanswered++ || request < counts->first_unanswered)
		counts->first_unanswered = request;
}

/*
 * Pass on a request that began at @asked, and its answer up to @last. If rows were lost in between, they may
 * have been another request, or the real answer.
 */
static void pass_answered(struct request_answers *answers, struct answered *answered,
			  uint64_t asked, uint64_t last)
{
	if (answered->answer && answers->losses &&
	    lost_events_touch(answers->losses, asked, last)) {
		answered->least = 0;
		answered->may_go_on = true;
	}
	answers->each(answers->data, answered);
}

/* End the last request of a flow, because the client sends the next one or the recording ends. */
static void end_request(struct request_answers *answers, struct talk *talk, bool may_go_on)
{
	struct answered answered = {
		.request = talk->request,
		.answer = talk->answer,
		.least = talk->answer ? talk->began - talk->asked : 0,
		.most = talk->answer ? talk->last - talk->asked : 0,
		.may_go_on = may_go_on,
	};
	struct request_counts *counts = &answers->counts;

	/* If the server closes the connection without data, the client asked for nothing more (TLS). */
	if (!talk->asked || (!talk->answer && talk->has_closed))
		return;
	pass_answered(answers, &answered, talk->asked, talk->last);
	talk->asked = 0;
	if (!talk->answer)
		count_unanswered(counts, talk->request);
}

/* Count a flow with unknown requests or answers. */
static void count_unknown(struct request_answers *answers, struct talk *talk)
{
	answers->counts.unknown += !talk->is_counted;
	talk->is_counted = true;
	talk->client_known = false;
	talk->asked = 0;
}

static void begin_request(struct request_answers *answers, struct talk *talk,
			  const struct packet *packet, uint32_t end)
{
	const struct copy *first = packet->copies[0];

	answers->counts.requests++;
	talk->asked = packet->first;
	talk->request = packet->number;
	talk->message = first->message;
	talk->is_connect = opens_connection(first) && payload_of(packet) <= 0;
	talk->first_end = talk->end = end;
	talk->answer = 0;
	talk->has_all = talk->has_closed = false;
}

static void hear_client(struct request_answers *answers, struct talk *talk,
			const struct packet *packet, bool is_chosen)
{
	const struct copy *first = packet->copies[0];
	const int32_t payload = payload_of(packet);
	const uint32_t end = first->seq + (payload > 0 ? payload : 0) + is_syn(first);
	const bool opens = opens_connection(first) && !(talk->has_syn && talk->syn == first->seq);

	if (opens) {
		talk->has_syn = true;
		talk->syn = first->seq;
		end_request(answers, talk, false);
		talk->asked = 0;
		talk->has_closed = false;
	} else if (is_tcp(first) && talk->asked && talk->is_connect && first->tcp_flags & TCP_ACK) {
		/* The client acknowledges a SYN-ACK that the recording does not have. */
		count_unknown(answers, talk);
		return;
	}
	if (is_tcp(first) && first->tcp_flags & TCP_RST && talk->answer)
		talk->has_closed = true;
	if ((!opens && !is_message(packet)) || talk->has_closed)
		return;
	if (talk->asked && !talk->has_all) {
		/* Two different datagrams wait: it is not known which one an answer belongs to. */
		if (first->flow.proto == PROTO_UDP &&
		    (!talk->message || first->message != talk->message))
			count_unknown(answers, talk);
		if ((int32_t)(end - talk->end) > 0)
			talk->end = end;
		return;
	}
	end_request(answers, talk, false);
	if (is_chosen)
		begin_request(answers, talk, packet, end);
}

static void hear_server(struct talk *talk, const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	const bool is_over = is_tcp(first) && first->tcp_flags & (TCP_FIN | TCP_RST);

	if (talk->asked && talk->is_connect) {
		if (is_syn(first) || is_over || is_message(packet))
			talk->asked = 0;
	} else if (talk->asked && is_message(packet) && packet->first >= talk->asked &&
		   (!is_tcp(first) || !was_sent_without(first->ack, talk->first_end))) {
		if (!talk->answer) {
			talk->answer = packet->number;
			talk->began = packet->first;
		}
		talk->last = packet->first;
		talk->has_all |= !is_tcp(first) || !was_sent_without(first->ack, talk->end);
	}
	talk->has_closed |= is_over;
}

/* Handle an echo message. A reply belongs to the request with the same number. */
static void hear_ping(struct request_answers *answers, struct talk *talk,
		      const struct packet *packet, bool is_chosen)
{
	const struct copy *first = packet->copies[0];
	const struct ping *ping;

	if (!first->message) {
		count_unknown(answers, talk);
		return;
	}
	if (is_request(&first->flow)) {
		ping = is_chosen ? pings_ask(&answers->pings, packet) : NULL;
		answers->counts.requests += ping && !ping->is_repeated;
		return;
	}
	ping = pings_reply(&answers->pings, packet);
	if (ping && ping->is_repeated)
		count_unknown(answers, talk);
	else if (ping)
		pass_answered(answers,
			      &(struct answered){
				      .request = ping->packet,
				      .answer = packet->number,
				      .least = packet->first - ping->asked,
				      .most = packet->first - ping->asked,
			      },
			      ping->asked, packet->first);
}

void request_answers_add(struct request_answers *answers, const struct packet *packet,
			 bool is_chosen)
{
	const struct copy *first = packet->copies[0];
	struct talk *talk = NULL;
	enum flow_way way;
	bool from_client;

	if (packet->flow_number && first->flow.family)
		talk = talk_of(answers, packet, is_chosen);
	if (!talk)
		answers->counts.heard |= answers_opening(first);
	else if (!talk->client_known && is_message(packet))
		count_unknown(answers, talk);
	if (!talk || !talk->client_known)
		return;
	way = flow_way(&talk->opener, &first->flow);
	if (way == WAY_UNKNOWN) {
		if (is_message(packet))
			count_unknown(answers, talk);
		return;
	}
	from_client = (way == WAY_BACK) == talk->client;
	answers->counts.heard |= !from_client && !is_icmp_error(&first->flow);
	if (first->flow.has_icmp && is_message(packet))
		hear_ping(answers, talk, packet, is_chosen);
	else if (from_client)
		hear_client(answers, talk, packet, is_chosen);
	else
		hear_server(talk, packet);
}

/* End the echo requests without a reply. */
static void end_pings(struct request_answers *answers)
{
	const struct talk *talk;
	const struct ping *ping;
	size_t i = 0;

	while ((ping = table_next(&answers->pings, &i))) {
		talk = table_find(&answers->talks, (struct table_key){ .number = ping->flow });
		if (ping->is_over || !talk || talk->is_counted)
			continue;
		answers->each(answers->data, &(struct answered){ .request = ping->packet });
		count_unanswered(&answers->counts, ping->packet);
	}
}

const struct request_counts *request_answers_end(struct request_answers *answers)
{
	struct talk *talk;
	size_t i = 0;

	while ((talk = table_next(&answers->talks, &i)))
		end_request(answers, talk,
			    talk->opener.proto == PROTO_TCP && talk->answer && !talk->has_closed);
	end_pings(answers);
	answers->counts.flows = answers->talks.nr;
	return &answers->counts;
}
