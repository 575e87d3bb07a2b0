# SPDX-License-Identifier: LGPL-2.1
# What the readers' Makefiles have in common: the library's sources, compiled by each as it needs them
# into $(O)/reading.

reading := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
reading_objs := $(patsubst $(reading)/%.c,$(O)/reading/%.o,$(wildcard $(reading)/*.c))
reading_flags := -D_GNU_SOURCE -I$(reading) -I$(reading)/../uapi
