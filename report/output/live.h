/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_LIVE_H
#define _RECORD_SKB_LIVE_H

/**
 * live_main - main function if the program was started by trace-cmd record-skb --live
 * @argc: number of arguments
 * @argv: the complete command line, as described in lib/live_lines.h
 *
 * Print a line for each packet when it has ended.
 *
 * Return: the exit status.
 */
int live_main(int argc, char **argv);

#endif
