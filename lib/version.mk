# SPDX-License-Identifier: GPL-2.0
# $(O)/version.h: what --version says. Read by the programs' Makefiles, which set O and src.
#
# The release is what the file VERSION at the top says. What is built from a commit that does not have
# the release's tag (v1.2.3) has the commit behind it: 1.2.3+gc0ffee12. VERSION in the environment or on
# make's command line, as packagers have it, comes before that.

release := $(shell cat $(src)/../VERSION)
VERSION ?= $(release)$(shell cd $(src) && git describe --exact-match --match v$(release) --dirty 2>/dev/null | grep -qx v$(release) || \
	git describe --always --exclude '*' --dirty=.dirty 2>/dev/null | sed 's/^/+g/')

# The version changes without any source; compare before touching.
$(O)/version.h: FORCE | $(O)
	@echo '#define VERSION "$(VERSION)"' | cmp -s - $@ || \
		echo '#define VERSION "$(VERSION)"' > $@
.PHONY: FORCE
