/* SPDX-License-Identifier: GPL-2.0 */
/* Include the headers that cmocka.h requires before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
