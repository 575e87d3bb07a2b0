/* SPDX-License-Identifier: GPL-2.0 */
/* What trace-cmd record-skb --live and the process that prints its lines agree on. */
#ifndef _RECORD_SKB_LIVE_LINES_H
#define _RECORD_SKB_LIVE_LINES_H

#define LIVE_PROGRAM "trace-cmd-report-skb"

/*
 * The hidden first argument of trace-cmd-report-skb. Next is a socket: it says there, by a byte, that it
 * reads, and its end is that of the recording. Then come the directory of tracefs and, if trace-cmd writes
 * a file, its name.
 */
#define LIVE_ARG "--live-lines"

/* What it exits with when nobody reads its lines any more. */
#define LIVE_UNREAD 3

#endif
