/* SPDX-License-Identifier: LGPL-2.1 */
/* fuzzed_rows.h - make a trace from the bytes of the fuzzer */
#ifndef _FUZZ_ROWS_H
#define _FUZZ_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "canned.h"

/**
 * rows_make - write the rows that the bytes select
 * @data: number of the kind of machine, followed by ROW_BYTES bytes for each row
 * @size: number of bytes
 *
 * Return: a trace, which the caller must free with canned_free(); NULL if there are not enough bytes for a
 * row.
 */
struct canned_trace *rows_make(const uint8_t *data, size_t size);

/**
 * rows_tep - get a handle with the formats of these rows
 * @data: as for rows_make()
 * @trace: the result of rows_make()
 *
 * Parsing the formats takes longer than the rest of a run. So the handle is created once for each kind of
 * machine, and all traces share it. The caller must neither change it nor close it.
 */
struct tep_handle *rows_tep(const uint8_t *data, const struct canned_trace *trace);

#define ROW_BYTES 8

#endif /* _FUZZ_ROWS_H */
