/* SPDX-License-Identifier: LGPL-2.1 */
/* flow_plot.h - the plots of flows in KernelShark */
#ifndef _RECORD_SKB_FLOW_PLOT_H
#define _RECORD_SKB_FLOW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * KernelShark has plots only for CPUs and for tasks. So a flow plot is the plot of a task with a negative
 * PID, which no real task has. KernelShark finds no rows for such a plot, and puts it before the plots of
 * tasks.
 */
#define FLOW_PID_BASE 1000000

static inline bool flow_has_plot(uint32_t flow)
{
	return flow && flow < FLOW_PID_BASE;
}

static inline int flow_plot_pid(uint32_t flow)
{
	return (int)flow - FLOW_PID_BASE;
}

static inline uint32_t flow_plot_flow(int pid)
{
	return pid + FLOW_PID_BASE;
}

#endif /* _RECORD_SKB_FLOW_PLOT_H */
