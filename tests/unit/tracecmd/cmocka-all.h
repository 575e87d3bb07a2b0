/* SPDX-License-Identifier: GPL-2.0 */
/* cmocka.h requires these headers to be included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
