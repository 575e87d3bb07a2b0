/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _CLOCKS_TEST_H
#define _CLOCKS_TEST_H

void clock_offset_and_drift(void **state);
void clock_with_changing_drift(void **state);
void clock_of_one_direction(void **state);
void clocks_combine(void **state);

#endif
