/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_START_STOP_H
#define RECORD_SKB_START_STOP_H

#include <linux/types.h>

struct active_config;

int start_recording(const struct active_config *a, bool others);
void stop_recording(const struct active_config *a, bool others);

#endif
