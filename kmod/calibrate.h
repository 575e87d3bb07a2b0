/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_CALIBRATE_H
#define RECORD_SKB_CALIBRATE_H

void calibrate(void);

#endif
