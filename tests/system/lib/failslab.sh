# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# failslab.sh - let allocations fail for the tasks of a test; the kernel must have been built with CONFIG_FAILSLAB

failslab=/sys/kernel/debug/failslab
for setting in ignore-gfp-wait verbose; do
	at_exit sh -c "echo $(cat $failslab/$setting) >$failslab/$setting"
done
# Allocations that may wait for memory must fail, too. The fault injector must not log messages.
echo N >$failslab/ignore-gfp-wait
echo 0 >$failslab/verbose
