#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: leaves tracing changed

echo 50 >/sys/kernel/tracing/buffer_percent
echo 1 >/sys/kernel/tracing/max_graph_depth
