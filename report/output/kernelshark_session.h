/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernelshark_session.h - write a session in which KernelShark shows the recordings of several hosts together
 */
#ifndef _RECORD_SKB_KERNELSHARK_SESSION_H
#define _RECORD_SKB_KERNELSHARK_SESSION_H

#include "report_options.h"

/**
 * kernelshark_session_write - write a session for `kernelshark -s`
 * @options: the command line: the recordings, and the file to write
 * @err: set on failure
 *
 * Return: 0; -1 on failure.
 */
int kernelshark_session_write(const struct options *options, struct err *err);

#endif
