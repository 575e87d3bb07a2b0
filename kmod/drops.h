/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DROPS_H
#define RECORD_SKB_DROPS_H

int drops_init(void);
int drops_start(void);
void drops_stop(void);

#endif
