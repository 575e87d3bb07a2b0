# SPDX-License-Identifier: GPL-2.0
# Definitions that the Makefiles of all parts use for install and uninstall.

# remove_if_empty DIRECTORIES…: remove the directories that are empty. List inner directories before outer ones.
remove_if_empty = rmdir $(1) 2>/dev/null || :
