# SPDX-License-Identifier: GPL-2.0
# Each part has a Makefile of its own. This one passes these variables to them:
#
#   O          build directory, with one subdirectory for each part; the source tree stays clean (build/host)
#   KDIR       kernel build directory for the module                             (that of the running kernel)
#   PREFIX     where to install                                                  (/usr/local)
#   DESTDIR    staging directory for packagers
#   TRACE_CMD  the real trace-cmd, which the dispatcher calls                    (found on PATH)
#   PARTS      the parts to build                                                (all)

O ?= build/host
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
DESTDIR ?=
TRACE_CMD ?=
PARTS ?= kmod tracecmd report plugin kshark Documentation

include lib/install.mk

parts := $(patsubst %/Makefile,%,$(wildcard $(addsuffix /Makefile,$(PARTS))))
words := KDIR=$(KDIR) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) TRACE_CMD=$(TRACE_CMD) $(if $(ZSHDIR),ZSHDIR=$(ZSHDIR))

.DEFAULT_GOAL := all

#: all           build the module, the subcommands and the plugins, for the running kernel
#: install       install them (PREFIX, DESTDIR)
#: uninstall     remove what install installed
all install uninstall: $(parts)

# Keep the directories that belong to the system.
uninstall:
ifeq ($(filter / /usr /usr/local /opt,$(PREFIX)),)
	$(call remove_if_empty,$(addprefix $(DESTDIR)$(PREFIX),/bin /lib /share/man /share /))
endif

# Report missing packages before anything is built.
ifneq ($(filter-out uninstall,$(or $(MAKECMDGOALS),all)),)
$(parts): preflight
endif

preflight:
	@KDIR=$(KDIR) lib/preflight $(parts)

$(parts):
	$(MAKE) -C $@ O=$(abspath $(O))/$@ $(words) $(filter all install uninstall,$(MAKECMDGOALS))

#: demo          record a packet's call graph in a guest, and show it
demo:
	examples/run-demo

#: check         unit tests; system tests in a guest with Linux 6.1; the main tests on Debian's newest kernel
check:
	tests/check quick

#: check-matrix  all tests on 6.1, 6.12 and the newest; short ones on 6.12 for arm64, without those in tests/not-on-arm64
check-matrix:
	tests/check matrix

#: check-debug   all system tests on a kernel with KASAN and lockdep (the first run builds it: 15 minutes)
check-debug:
	tests/run -k debug

#: check-selftests  the kernel's own networking tests, with and without a recording (takes an hour)
check-selftests:
	tests/kselftest/run

#: bench         measure the cost on three kernels, in guests that count instructions; HOST=y: on this machine
bench:
	tests/bench/$(if $(filter y,$(HOST)),host,run)

#: lint          check the sources and pages without running them
lint:
	tests/lint

#: doc           the man pages
doc:
	$(MAKE) -C Documentation O=$(abspath $(O))/Documentation $(words) all

#: deb           build Debian packages in build/deb; with ARCH=arm64, cross-build in build/deb-arm64
deb:
	debian/$(if $(filter arm64,$(ARCH)),cross,build)

#: check-browser  open report-skb's page and timeline in headless Chromium (needs chromium, nodejs and npm: 300 MB)
check-browser: report
	tests/browser/run

#: check-deb     install, upgrade and purge the packages in a clean Debian (SUITE=bookworm or trixie; ARCH=arm64)
check-deb:
	debian/check $(or $(SUITE),$(if $(filter arm64,$(ARCH)),trixie)) $(ARCH)

#: check-upstream  build trace-cmd 3.4 with our patches, test it without the dispatcher, and run its unit tests
check-upstream:
	contrib/check $(SOURCE)

#: clean         remove build results; keep downloaded kernels and releases (rm -r build removes them)
clean:
	rm -rf build/host build/unit $(wildcard build/*/obj build/*/stage build/*/stage.stamp)

#: help          print this list
help:
	@sed -n 's/^#: /  /p' $(firstword $(MAKEFILE_LIST))

.PHONY: all install uninstall demo check check-browser check-deb check-upstream deb check-matrix check-debug check-selftests bench lint doc clean help preflight $(parts)
