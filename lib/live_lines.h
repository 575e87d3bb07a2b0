/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between trace-cmd record-skb and trace-cmd report-skb, which it runs for --live and for
 * the finding
 */
#ifndef _RECORD_SKB_LIVE_LINES_H
#define _RECORD_SKB_LIVE_LINES_H

#define LIVE_PROGRAM "trace-cmd-report-skb"

/*
 * Hidden first argument of trace-cmd-report-skb. The second argument is a socket: report-skb writes one
 * byte when it is ready to read, and end of file on the socket marks the end of the recording. The third
 * argument is the tracefs directory. The fourth is the name of the output file, if trace-cmd writes one.
 */
#define LIVE_ARG "--live-lines"

/*
 * Hidden first argument of trace-cmd-report-skb. The second argument is a recording. report-skb prints only
 * the most important finding and the next command.
 */
#define FINDING_ARG "--finding"

/* Exit code if the reader of the lines closed its end of the pipe. */
#define LIVE_UNREAD 3

#endif
