/* SPDX-License-Identifier: GPL-2.0 */
/* ioctl.h - parts of the program ioctl */
#ifndef _TEST_IOCTL_H
#define _TEST_IOCTL_H

#include "record_skb.h"

#define NR_POINTS 4

/* A filter for TCP and UDP, and four probe points. */
extern const struct record_skb_filter filter;
extern const struct record_skb_point points[NR_POINTS];

/* The exit status: 1 if a call had another result than it should have. */
extern int failed;

/* Check the result @ret of a call: the errno @want, or 0 for success. */
void expect(const char *what, int ret, int want);

/* Open the device. If another process is just reloading the module, wait until the device exists. */
int open_device(void);

/* Claim the recording, and set the filter and the probe points. */
void set_up(int fd);

/* Make calls that must fail, and check the error. */
void misuse(void);

/* Make calls with memory that is not present, and check that other calls do not wait for this memory. */
void call_without_page(void);

#endif
