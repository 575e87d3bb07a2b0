/* SPDX-License-Identifier: GPL-2.0 */
/*
 * build_symbols.h - symbols in a recording that tell which build of the kernel was recorded
 *
 * trace-cmd copies a list of symbols into its file. record-skb adds symbols with these names and with the
 * addresses from RECORD_SKB_BUILD_SYMBOLS on, one address for each:
 *
 *   .kernel.BUILD-ID                   build ID of the kernel; empty if it is not known
 *   .module.NAME.BEGIN-END.BUILD-ID    the functions of a module: address of the first one, and of their end
 */
#ifndef _RECORD_SKB_BUILD_SYMBOLS_H
#define _RECORD_SKB_BUILD_SYMBOLS_H

#define RECORD_SKB_BUILD_SYMBOLS 0xffffffffffff0000ull

#endif
