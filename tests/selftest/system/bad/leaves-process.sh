#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: leaves a process

sleep 1000 &
