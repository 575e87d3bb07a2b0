# SPDX-License-Identifier: GPL-2.0
# $(O)/version.h: what --version says. Read by the programs' Makefiles, which set O and src.

VERSION ?= $(shell git -C $(src) describe --tags --always --dirty 2>/dev/null || echo unknown)

# The version changes without any source; compare before touching.
$(O)/version.h: FORCE | $(O)
	@echo '#define VERSION "$(VERSION)"' | cmp -s - $@ || \
		echo '#define VERSION "$(VERSION)"' > $@
.PHONY: FORCE
