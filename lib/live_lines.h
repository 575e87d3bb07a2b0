/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between trace-cmd record-skb and trace-cmd report-skb. For --live and for the finding at the end,
 * trace-cmd record-skb runs trace-cmd report-skb.
 */
#ifndef _RECORD_SKB_LIVE_LINES_H
#define _RECORD_SKB_LIVE_LINES_H

#define LIVE_PROGRAM "trace-cmd-report-skb"

/*
 * Hidden first argument of trace-cmd-report-skb. The second argument is a socket: report-skb writes one
 * byte to it when it is ready to read the recording. When the recording has ended, trace-cmd record-skb
 * shuts the socket down. The third argument is the tracefs directory. The fourth is the name of the output
 * file, if trace-cmd writes one.
 */
#define LIVE_ARG "--live-lines"

/*
 * Hidden first argument of trace-cmd-report-skb. The second argument is a recording. report-skb prints only
 * the most important finding and the next command.
 */
#define FINDING_ARG "--finding"

/* Exit code if the program that reads the lines has closed its end of the pipe. */
#define LIVE_UNREAD 3

#endif
