/* SPDX-License-Identifier: GPL-2.0 */
/* Stand-in for the kernel's headers that kmod/where.c needs, so that a test can run it in user space. */
#include <linux/swab.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define noinline
#define swab64(value) __swab64(value)

struct sk_buff {
	u8 bytes[40];
};
