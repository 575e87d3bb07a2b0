/* SPDX-License-Identifier: LGPL-2.1 */
/* fuzzed_rows.h - a trace from the fuzzer's bytes */
#ifndef _FUZZ_ROWS_H
#define _FUZZ_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "canned.h"

/**
 * rows_make - write rows as the bytes say
 * @data: first what the traced machine is like, then ROW_BYTES for each row
 * @size: how many
 *
 * Returns a trace for canned_free(); NULL if the bytes are too few for one.
 */
struct canned_trace *rows_make(const uint8_t *data, size_t size);

/**
 * rows_tep - what knows the formats of these rows
 * @data: as for rows_make()
 * @trace: what that made of it
 *
 * Parsing them takes longer than all else, so it is done once for each kind of machine. For readers that change
 * nothing in it; it is not to be closed.
 */
struct tep_handle *rows_tep(const uint8_t *data, const struct canned_trace *trace);

#define ROW_BYTES 8

#endif /* _FUZZ_ROWS_H */
