# SPDX-License-Identifier: GPL-2.0
# Builds of report-skb that several directories of unit tests use. They are in a directory beside $(O), so that each one is
# built once. make runs for two directories at a time, so a lock keeps them from building the same one together.
#
#   report-plain      $(O)/NAME is as users have it
#   report-sanitized  $(O)/NAME is built with the sanitizers
#
# The variables plain and sanitized set NAME; the default is report.

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -ftrivial-auto-var-init=pattern
plain ?= report
sanitized ?= report
builds := $(abspath $(O)/../builds)

# $(call report_skb,BUILD,NAME,VARIABLES)
report_skb = mkdir -p $(O) $(builds) && \
	flock $(builds)/.lock $(MAKE) -C $(SRC)/report O=$(builds)/$(1) $(3) $(builds)/$(1)/trace-cmd-report-skb && \
	rm -rf $(O)/$(2) && ln -s $(builds)/$(1) $(O)/$(2)

# $(call objects_of,SOURCES): the objects of these sources in the build with the sanitizers, so that a test need not
# compile them again. $(optional_libs) are the libraries that report-skb uses if they are installed.
optional_libs = $(shell $(PKG_CONFIG) --exists libdw libelf && $(PKG_CONFIG) --libs libdw libelf)
objects_of = $(patsubst $(SRC)/lib/%.c,$(builds)/sanitized/lib/%.o,$(patsubst $(SRC)/reading/%.c,$(builds)/sanitized/reading/%.o,\
	     $(1:$(SRC)/report/%.c=$(builds)/sanitized/%.o)))

report-plain:
	$(call report_skb,plain,$(plain),)

report-sanitized:
	$(call report_skb,sanitized,$(sanitized),CFLAGS='-O1 -g $(SANITIZE)' LDFLAGS='$(SANITIZE)')

.PHONY: report-plain report-sanitized
