/* SPDX-License-Identifier: GPL-2.0 */
/* traffic.h - what the modes of traffic share, and the modes themselves; see usage_text in traffic.c */
#ifndef _TRAFFIC_H
#define _TRAFFIC_H

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_SOCKETS 256
#define BLOCK	    1024

union address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* sockets.c: all of these end the program if they fail */

extern int family;	  /* of what listens */
extern unsigned int calm; /* how many times as long the pauses of streams are */

void die(const char *what);
union address address(const char *host, const char *port);
int bound(int type, const char *port);
int connected(int type, const char *host, const char *port);
void wait_for(int s, short events);
void send_all(int s, const char *data, size_t n);
/* Returns 0 at the end of the connection. */
size_t receive(int s, void *data, size_t n);

/* SIGTERM sets it, from end_when_told() on. */
extern volatile sig_atomic_t told_to_end;
void end_when_told(void);

/* What a stream has at this place, and that it has it. */
char byte_at(uint64_t i);
void check(const char *data, size_t n, uint64_t at);

/* tcp.c */
int echo(int argc, char **argv);
int talk(int argc, char **argv);
int chat(int argc, char **argv);
int answer(int argc, char **argv);
int knock(int argc, char **argv);
int stream(int argc, char **argv);
int read_asleep(int argc, char **argv);
int listen_only(int argc, char **argv);

/* udp.c */
int number(int argc, char **argv);
int ask(int argc, char **argv);
int burst(int argc, char **argv);
int crowd(int argc, char **argv);
int collect(int argc, char **argv);
int datagrams(int argc, char **argv);
int reflect(int argc, char **argv);
int hoard(int argc, char **argv);
int refuse(int argc, char **argv);

/* raw.c */
int spoil(int argc, char **argv);

#endif
