/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COPIES_H
#define RECORD_SKB_COPIES_H

void copies_start(void);
void copies_stop(void);

#endif
