/* SPDX-License-Identifier: GPL-2.0 */
/* selected_numbers.h - find the numbers of the selected packets before the output is made */
#ifndef _RECORD_SKB_SELECTED_NUMBERS_H
#define _RECORD_SKB_SELECTED_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "model/packet_filter.h"

struct selected_numbers;

/**
 * selected_numbers_read - find the selected packets of a recording
 * @path: file name of the recording; the file is not read if all packets are selected
 * @chosen: the selection; must outlive the result
 * @err: set to the reason on failure
 */
struct selected_numbers *selected_numbers_read(const char *path, const struct chosen *chosen,
					       struct err *err);
void selected_numbers_free(struct selected_numbers *selected);

/* Return: true if packet @number is selected. */
bool selected_numbers_has(const struct selected_numbers *selected, uint32_t number);

#endif
