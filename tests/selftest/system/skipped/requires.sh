#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: requires a file that does not exist
# requires: /nowhere/to/be/found

exit 0
