#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: needs what is not there
# requires: /nowhere/to/be/found

exit 0
