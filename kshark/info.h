/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * info.h - what the Info column shows of a row that has a label
 */
#ifndef _RECORD_SKB_KSHARK_INFO_H
#define _RECORD_SKB_KSHARK_INFO_H

/* What is wider does not fit into the column of a window as wide as most screens. */
#define INFO_COLUMNS 100

/**
 * info_labelled - a row's own text with its label
 * @own: "1.2 us  |     ip_rcv();"
 * @label: "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 *
 * The label stands behind, as trace-cmd report has it; where it could not be seen there, for the function is
 * nested deep, in front of the function. Returns NULL without memory; to be freed.
 */
char *info_labelled(const char *own, const char *label);

#endif /* _RECORD_SKB_KSHARK_INFO_H */
