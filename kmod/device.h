/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DEVICE_H
#define RECORD_SKB_DEVICE_H

int device_init(void);
void device_exit(void);

#endif
