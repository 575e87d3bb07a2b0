/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * info_column.h - text of the Info column for rows with a label
 */
#ifndef _RECORD_SKB_KSHARK_INFO_COLUMN_H
#define _RECORD_SKB_KSHARK_INFO_COLUMN_H

/* Text beyond this number of characters is outside of the column on most screens. */
#define INFO_COLUMNS 100

/**
 * info_add_label - combine a row's own text with its label
 * @own: for instance "1.2 us  |     ip_rcv();"
 * @label: for instance "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 *
 * The label follows the text, as in trace-cmd report. If deep nesting would push the label out of sight,
 * the label goes before the function's name instead.
 *
 * Return: text for the caller to free, NULL if memory is short.
 */
char *info_add_label(const char *own, const char *label);

#endif /* _RECORD_SKB_KSHARK_INFO_COLUMN_H */
