/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DECISIONS_H
#define RECORD_SKB_DECISIONS_H

struct hit;
struct point;
struct points;
struct recording;

void decisions_init(void);
void decisions_start(void);
void decisions_stop(void);
void decisions_seen(const struct recording *r, const struct point *point, const struct hit *hit);
const char *decisions_function(unsigned int number, struct point *point);

#endif
