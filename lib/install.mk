# SPDX-License-Identifier: GPL-2.0
# What the parts' Makefiles share for install and uninstall.

# remove_if_empty DIRECTORIES…, the inner before the outer: those that nobody else uses.
remove_if_empty = rmdir $(1) 2>/dev/null || :
