/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traffic.h - functions that all modes of traffic use, and the modes themselves; see usage_text in traffic.c
 */
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

/* Functions of sockets.c. If one of them fails, it ends the program. */

extern int family;	  /* address family of servers */
extern unsigned int calm; /* the option -c multiplies the pauses of streams by this factor */

void die(const char *what);
union address address(const char *host, const char *port);
int bound(int type, const char *port);
int connected(int type, const char *host, const char *port);
void wait_for(int s, short events);
void send_all(int s, const char *data, size_t n);
/* Return: the number of received bytes; 0 at the end of the connection. */
size_t receive(int s, void *data, size_t n);

/* Set when SIGTERM arrives, if end_when_told() was called. */
extern volatile sig_atomic_t told_to_end;
void end_when_told(void);

/*
 * byte_at() returns the byte that a stream has at position @i. check() fails if received data differs from
 * these bytes.
 */
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
