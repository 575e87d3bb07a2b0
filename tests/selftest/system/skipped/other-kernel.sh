#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: is for another kernel
# kernels: 2.4

exit 1
