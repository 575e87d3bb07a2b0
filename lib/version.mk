# SPDX-License-Identifier: GPL-2.0
# Generate $(O)/version.h, which holds the text for --version. Included by the Makefiles of the programs, which set
# O and src.
#
# The file VERSION at the top holds the release. A commit without the tag of the release (v1.2.3) is appended:
# 1.2.3+gc0ffee12. Packagers can set VERSION in the environment or on make's command line instead.

release := $(shell cat $(src)/../VERSION)
VERSION ?= $(release)$(shell cd $(src) && git describe --exact-match --match v$(release) --dirty 2>/dev/null | grep -qx v$(release) || \
	git describe --always --exclude '*' --dirty=.dirty 2>/dev/null | sed 's/^/+g/')

# The version can change although no source file does. Compare first, to avoid needless rebuilds.
$(O)/version.h: FORCE | $(O)
	@echo '#define VERSION "$(VERSION)"' | cmp -s - $@ || \
		echo '#define VERSION "$(VERSION)"' > $@
.PHONY: FORCE
