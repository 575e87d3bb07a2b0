#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: leaves a namespace

ip netns add left
