# SPDX-License-Identifier: LGPL-2.1
# Definitions that the Makefiles of all readers use. Each reader compiles the files of reading/ into its own
# $(O)/reading.

reading := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
reading_objs := $(patsubst $(reading)/%.c,$(O)/reading/%.o,$(wildcard $(reading)/*.c))
reading_flags := -D_GNU_SOURCE -I$(reading) -I$(reading)/../uapi
