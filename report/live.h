/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_LIVE_H
#define _REPORT_SKB_LIVE_H

/**
 * live_main - the program when trace-cmd record-skb --live starts it: a line for each packet that has ended
 * @argc, @argv: its whole command line, as lib/live.h has it
 *
 * Returns the exit status.
 */
int live_main(int argc, char **argv);

#endif
