/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_LEAVE_H
#define RECORD_SKB_LEAVE_H

void leave(unsigned long ret);
void leave_graph(unsigned long ret);

#endif
