/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PCAPNG_H
#define _RECORD_SKB_PCAPNG_H

#include "err.h"
#include "model/packets.h"
#include "model/request_times.h"
#include "model/stages.h"
#include "output/packet_graphs.h"

struct pcapng;

/**
 * pcapng_new - create a capture file
 * @path: name of the file, which is overwritten; "-" for standard output
 * @recording: name of the recording, which must not be overwritten
 * @packets: address of a pointer to struct packets, which knows the device names. The pointer must be set
 *	before the first packet
 * @frames: the frames that were collected from the packets
 * @err: set on failure
 *
 * Return: the capture file; NULL on failure.
 */
struct pcapng *pcapng_new(const char *path, const char *recording, struct packets **packets,
			  struct captured_frames *frames, struct err *err);

/*
 * Set the objects with the tasks that sent packets (@stages), and with the requests (@times). @times must
 * have all requests before pcapng_close() is called.
 */
void pcapng_set_models(struct pcapng *pcapng, struct stages *stages, struct request_times *times);

/* Write the frames, close the file and free @pcapng. Return: 0, or -1 if not all frames could be written. */
int pcapng_close(struct pcapng *pcapng, struct err *err);

/* This output gets the packets. Its argument @data is a struct pcapng. */
extern const struct output pcapng_output;
/*
 * This observer gets the wall-clock time. Pass it to reader_add_observer(), with the struct pcapng as data.
 */
extern const struct observer pcapng_observer;
/*
 * Return: the graphs of the packets. The caller must pass the events of the recording to
 * packet_graphs_observer with this object.
 */
struct packet_graphs *pcapng_graphs(struct pcapng *pcapng);

#endif
