/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DECISIONS_H
#define RECORD_SKB_DECISIONS_H

struct hit;
struct module;
struct point;
struct points;
struct recording;

void decisions_init(void);
int decisions_start(void);
void decisions_stop(void);
void decisions_seen(const struct recording *r, const struct point *point, const struct hit *hit);
void decisions_set_taps(unsigned long packet_rcv, unsigned long tpacket_rcv);
void decisions_forget_module(const struct module *mod);
bool decisions_is_tap(unsigned int number);
void decisions_see_tap(const struct hit *hit);
bool decisions_concern(const struct recording *r);
const char *decisions_function(unsigned int number, struct point *point);

#endif
