/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_GATE_RETURN_H
#define RECORD_SKB_GATE_RETURN_H

void gate_leave(unsigned long ret);
void gate_leave_graph(unsigned long ret);

#endif
