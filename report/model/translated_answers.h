/* SPDX-License-Identifier: GPL-2.0 */
/* translated_answers.h - explain dropped answers that NAT should have changed back */
#ifndef _RECORD_SKB_TRANSLATED_ANSWERS_H
#define _RECORD_SKB_TRANSLATED_ANSWERS_H

#include "model/cause_command.h"
#include "model/packets.h"

#define TRANSLATED_LEN (2 * ADDRESS_TEXT_LEN + 256)

/**
 * words_translated - explain why no socket takes an answer: NAT has changed the destination of the request
 * @buf: buffer of TRANSLATED_LEN bytes, which gets the text
 * @packets: the packets of the recording
 * @packet: the packet
 * @copy: the copy of the packet that no socket took
 *
 * If NAT changes the destination of a request, it must change the source of the answer back. The client has
 * no socket for an answer that comes back by another way, without the NAT.
 *
 * Return: false if the recording does not show that NAT has changed the request. Then @buf is not changed.
 */
bool words_translated(char *buf, const struct packets *packets, const struct packet *packet,
		      const struct copy *copy);

/**
 * translated_command - get a command that shows the route of the answer on the server
 * @command: buffer of COMMAND_LEN bytes; empty if the recording does not show where the answer was sent
 * @packets: the packets of the recording
 * @packet: the answer
 *
 * Return: the network namespace in which the command has to run; 0 without a command.
 */
uint32_t translated_command(char *command, const struct packets *packets,
			    const struct packet *packet);

#endif
