/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * info_column.h - text of the Info column for rows with a label
 */
#ifndef _RECORD_SKB_KSHARK_INFO_COLUMN_H
#define _RECORD_SKB_KSHARK_INFO_COLUMN_H

/* Text after this number of characters is outside of the column on most screens. */
#define INFO_COLUMNS 100

/**
 * info_add_label - combine a row's own text with its label
 * @own: the row's own text, such as "1.2 us | ip_rcv();"
 * @label: the label, such as "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 *
 * The label follows the text, as in trace-cmd report. If a deeply nested function would move the label out
 * of the visible column, the label is put before the function's name instead.
 *
 * Return: the text, which the caller must free; NULL if there is not enough memory.
 */
char *info_add_label(const char *own, const char *label);

#endif /* _RECORD_SKB_KSHARK_INFO_COLUMN_H */
